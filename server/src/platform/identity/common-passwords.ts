/** Words that people dress up with digits and marks. Lower case. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `password passwort motdepasse contrasena contraseña senha wachtwoord passphrase welcome bienvenue willkommen letmein
   changeme changeit changethis admin administrator administrateur root superuser superadmin qwerty qwertyuiop azerty
   azertyuiop qwertz asdfgh asdfghjkl zxcvbn zxcvbnm iloveyou jetaime ichliebedich sunshine princess monkey dragon
   football baseball basketball superman batman spiderman pokemon starwars master shadow michael jennifer jordan
   hunter killer trustno secret topsecret login hello bonjour freedom whatever computer internet summer winter spring
   autumn january february march april june july august september october november december monday friday
   company business enterprise workplace instep demo sandbox test testing example guest user temporary temp default
   passwordpassword adminadmin welcomewelcome letmeinletmein testtest mypassword thepassword newpassword yourpassword
   passwordadmin adminpassword passwordtest welcomehome welcometo liverpool chelsea arsenal barcelona realmadrid
   manchester manchesterunited juventus london paris`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Passwords of twelve characters and more that appear near the top of public lists of leaked ones. Lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv qazwsxedcrfv qazwsxedc123 zaq12wsxcde3 q1w2e3r4t5y6 a1b2c3d4e5f6
   qwertyuiop123 qwertyuiop12 qwerty123456 qwerty1234567 qwerty12345678 123456qwerty 1234567890qwerty qwe123qwe123 asd123asd123
   abc123abc123 abcd1234abcd abcdefg12345 abcdefghijkl 1234567891011 123456123456 111222333444 112233445566 987654321098
   correcthorsebatterystaple correct horse battery staple iloveyou1234 iloveyouforever iloveyousomuch iloveyoumore letmein12345
   ilovemyfamily ilovemydaughter iloveyoubaby footballfootball trustnoone123 thisismypassword thisisapassword opensesame123
   openthedoor1 qwertyqwerty1 computer12345 internet12345 unbelievable superstar123 blink182blink metallica123 sunshine12345
   princess12345 chocolate123 butterfly123 hello123456789 helloworld123 helloworld12 hello1234567 monkey123456 dragon123456
   password1234 password12345 password123456 p@ssw0rd1234 passw0rd1234 p@ssword1234 pa$$word1234 pa55word1234 administrator1
   mynameisearl mynoob123456 nothing12345 jesuschrist1 godisgreat123 godisgood1234 michaeljordan manchester123 liverpool1234
   bismillah1234 bismillah786 zxcvbnm12345 zxcvbnm123456 asdfghjkl123 asdfghjkl1234 1234qwerasdf qwerasdfzxcv qweasdzxc123
   123qweasdzxc 123qwe123qwe changeme1234 changemenow1 welcome12345 welcome123456 summer123456 winter123456 spring123456
   football1234 baseball1234 superman1234 pokemon12345 starwars1234 maytheforce1 harrypotter1 lordoftherings gameofthrones
   motdepasse12 motdepasse123 azertyuiop12 azertyuiop123 azerty123456 jetaime12345 bonjour12345 soleil123456 doudou123456`
    .split(/\s+/)
    .filter((word) => word.length >= 12),
)
