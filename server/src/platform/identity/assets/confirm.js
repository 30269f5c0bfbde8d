document.getElementById('confirm').click()
