/** A piece that more people than this have leads nowhere: PostgreSQL would read the places of all of them. */
const RARE = 0.05
/** More pieces of one word hardly narrow it further. */
const A_WORD = 2

/** Three characters as the trigram index knows them: of one word, or its first two behind what parts it from the word before. ASCII only, because that folds alike everywhere. */
const PIECE = /(?=([a-z0-9]{3}|[\x20-\x7e][a-z0-9]{2}))/gi

/** The pieces of a text, folded, in its order. */
export const piecesOf = (text: string): string[] => [...text.matchAll(PIECE)].map(([, piece = '']) => piece.toLowerCase())

/**
 * The pieces by which whoever has the whole text is found soonest: of each word the rarest, as long as they are rare. Everybody who has the text
 * has them, so that they may be asked for first. Pure.
 *
 * @param shareOf share of the people who have a piece, 0 to 1
 */
export const rarePieces = (text: string, shareOf: (piece: string) => number): string[] =>
  text.split(/(?=[^\p{L}\p{N}])/u).flatMap((word) =>
    [...new Set(piecesOf(word))]
      .map((piece) => ({ piece, share: shareOf(piece) }))
      .filter(({ share }) => share <= RARE)
      .sort((a, b) => a.share - b.share)
      .slice(0, A_WORD)
      .map(({ piece }) => piece),
  )
