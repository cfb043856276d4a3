/// ID tokens that another library signed (joserfc 1.8) with the throw-away keys, for 2027-01-15 08:00:00 UTC.
struct RecordedToken {
    let algorithm: String
    let key: TestKey
    let text: String

    static let all = [
        RecordedToken(
            algorithm: "RS256",
            key: .rsa,
            text: "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUuY29tIiwic3ViIjoiMjQ4Mjg"
                + "5NzYxMDAxIiwiYXVkIjoibXktYXBwIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsImVtYWlsIjoiYW5uQGV4YW1"
                + "wbGUuY29tIiwiZW1haWxfdmVyaWZpZWQiOnRydWV9.koXB1a57-"
                + "qpDuFShAa3oWMr7uJPE6g0FpzCbfdXh7O8CB07lxrQX02dynzX9dFdpyBEsvkCI4qzq1ZGcyOvQfyWwZ5IoDXqH17IZGGzplAbfg"
                + "BagW6rOekTiBiMNF0DYQ2d2djiXmV7MPqlavu3Hy9BZZNG_6pYOrAhEa2aABFLN45cl9oR9b44VWc-VUngVjYBGmrGIifdvCrlGS"
                + "9R4ifWVRGdfngqz6KekVIfFguZYWCy5h_S9U9RRLI2mDaskMMlpvtmCJ0jdRSYbRaUUBJZTipQ6DoQuSWdubP6DlsordyRCIhLSa"
                + "-DeOQneemWxj7QZdkQLPas0dqEHi_DOtA"
        ),
        RecordedToken(
            algorithm: "RS384",
            key: .rsa,
            text: "eyJhbGciOiJSUzM4NCIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUuY29tIiwic3ViIjoiMjQ4Mjg"
                + "5NzYxMDAxIiwiYXVkIjoibXktYXBwIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsImVtYWlsIjoiYW5uQGV4YW1"
                + "wbGUuY29tIiwiZW1haWxfdmVyaWZpZWQiOnRydWV9.nBd7X9FI2Oeq32oIpVC20R46CsktHCjiqQ1Kns9FB4hWf7r7XGEU3ZBPVm"
                + "zYpiBV_4tuI1KTUGQ1HZsUEnqWaNYTqEb6b3SUJd3ix1ick-QKnPfaIVuxzv6NXQc0XyEbThQU40Gt86ztx-"
                + "CvZ7DSXgiFUZqswY6uCtcB-hlJcqh8W0WwEmXTrmtPKKiUJjAs7W-"
                + "RFQ82Sfw4ofavBQ1ijPKbnW1OhFERIUEMxPyX5dLTd5whRcH_PyJSrwWolf18RxolApgWk17dB3JJ03_lUhe49NMBi4u7oHJcc65"
                + "RrtQXzykEjePI1NtV9Oxfupf1CmLip9i4TlhESq596ktxFg"
        ),
        RecordedToken(
            algorithm: "RS512",
            key: .rsa,
            text: "eyJhbGciOiJSUzUxMiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUuY29tIiwic3ViIjoiMjQ4Mjg"
                + "5NzYxMDAxIiwiYXVkIjoibXktYXBwIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsImVtYWlsIjoiYW5uQGV4YW1"
                + "wbGUuY29tIiwiZW1haWxfdmVyaWZpZWQiOnRydWV9.X0Hx701l8ep9h08c_qPp4a8P78g4Q0Ccs3CmopE1NcBGIm_oe_BdSo7Xl0"
                + "0V5cMDKhdsD86txD1FMYLJv582o_n-kL2sqjfJNKM-3_zDRqfPtcM5PpZ5nuXLpdITCDrrFspQuVavZOsuLtjoVL80Y-"
                + "2vYKzE2IuSHBWXntSW2Kt9cY9pTQWz-8nniOgBsf7bmeI11dCcr0fEoyFyDYMdIalvMkix_gBTmC3JQ-"
                + "AhGiFiV4N6nZTkVDmjSYOXO-Ti4DyGO-"
                + "Biv4LyDtmwo4sGC8zNMh57IIKwafrFxx0U17RcoWYyBI36bDN_wM5vE_EMGjrycZ8Lc0-FVP-lcjcRrQ"
        ),
        RecordedToken(
            algorithm: "PS256",
            key: .rsa,
            text: "eyJhbGciOiJQUzI1NiIsImtpZCI6InJzYSJ9.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUuY29tIiwic3ViIjoiMjQ4Mjg"
                + "5NzYxMDAxIiwiYXVkIjoibXktYXBwIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsImVtYWlsIjoiYW5uQGV4YW1"
                + "wbGUuY29tIiwiZW1haWxfdmVyaWZpZWQiOnRydWV9.XkzUpDuQHdZfvci2yKZvWtqpQuEqIO9BUgxbSsY_0HRCxLYul8MC-"
                + "vI8zZL457xdA3LHMZ1RMK5TFkM1W1tNsBryFZ5AE8beyZYAR-wG18QwMQfeCw0pdO8Qdr-BaAawHHtL8p4ZUh4Wm_TyrDOXOFOq-"
                + "j6RBly58gbL1mEyv_Y8t2RHXvGgYhheVoOuDk1IdzxIAFE6-"
                + "lKB_LqHHW5v7vYwU81hL4YfeQeQiEOaaRulyYqHblxjKPlCeYuAYOPXHKC915Ny23Mc5xp98a4FAi40lqDRJlp857UYMjptYPeoX"
                + "Ea3V0m8Mk8qNJ4Q23MWr7wcvmH91kq1unp5uFWQqQ"
        ),
        RecordedToken(
            algorithm: "ES256",
            key: .p256,
            text: "eyJhbGciOiJFUzI1NiIsImtpZCI6InAyNTYifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUuY29tIiwic3ViIjoiMjQ4M"
                + "jg5NzYxMDAxIiwiYXVkIjoibXktYXBwIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsImVtYWlsIjoiYW5uQGV4Y"
                + "W1wbGUuY29tIiwiZW1haWxfdmVyaWZpZWQiOnRydWV9.dG7HqfZejAuPtqkmzW_XptvoRS8P8UyOQB7K3i92e3MUbHduHJITXcrJ"
                + "sb9l8vQ9JfLS-w4ivtlMAXZ9mHaraA"
        ),
        RecordedToken(
            algorithm: "ES384",
            key: .p384,
            text: "eyJhbGciOiJFUzM4NCIsImtpZCI6InAzODQifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUuY29tIiwic3ViIjoiMjQ4M"
                + "jg5NzYxMDAxIiwiYXVkIjoibXktYXBwIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsImVtYWlsIjoiYW5uQGV4Y"
                + "W1wbGUuY29tIiwiZW1haWxfdmVyaWZpZWQiOnRydWV9.c08lsz22e40qbu5jG-"
                + "ytjvnRRCO7bL4c4Vakjq_l2-2ylyPBLsSTPv4Mja34Zl7prRycg1Ha0-406-ipKNgzKXHtxevGx8g_VTM8-TQ-4qz-"
                + "Mu7BpECID3upb4KUzJrP"
        ),
        RecordedToken(
            algorithm: "EdDSA",
            key: .ed25519,
            text: "eyJhbGciOiJFZERTQSIsImtpZCI6ImVkMjU1MTkifQ.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUuY29tIiwic3ViIjoiM"
                + "jQ4Mjg5NzYxMDAxIiwiYXVkIjoibXktYXBwIiwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDAsImVtYWlsIjoiYW5uQ"
                + "GV4YW1wbGUuY29tIiwiZW1haWxfdmVyaWZpZWQiOnRydWV9.tY9ICFeEx0khYVItO7MIaiJrO0gt_-"
                + "R5nl73n3UDS3QkfC4QSzFSslmeW5INknYEQYUBFL3r3SH5ANY6hLG6Cg"
        ),
    ]
}
