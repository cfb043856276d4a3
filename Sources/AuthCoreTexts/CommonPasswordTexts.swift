/// The passwords that attackers try first.
///
/// The published counts of leaked passwords, among them the 100,000 of the UK's NCSC and the yearly lists of 2019 to
/// 2025, agree on what leads them: runs of digits and of keys, a few words and names, and these with the same few
/// endings. Listed here is what has at least eight characters; case is ignored.
enum CommonPasswordTexts {
    /// What people append to reach a length or to satisfy a rule.
    static let endings = "1 2 12 11 01 123 1234 12345 123456 ! 1! 123! @1 @123 @1234 #1 2023 2024 2025 2026"

    static let words = """
        password passw0rd p@ssword p@ssw0rd pa$$word p@$$w0rd pass admin administrator root guest user test demo login
        master welcome letmein changeme secret default temp qwerty qwertyuiop azerty asdf asdfgh zxcvbn zxcvbnm qazwsx
        abcd abcdef abc iloveyou lovely sunshine princess monkey dragon shadow superman batman pokemon naruto football
        baseball soccer basketball hockey liverpool chelsea arsenal barcelona jordan michael jessica ashley daniel
        charlie thomas andrew anthony joshua matthew nicole michelle summer winter spring autumn flower cookie hello
        computer internet samsung google facebook minecraft starwars freedom killer hunter ranger mustang ferrari
        whatever trustno cheese purple orange banana chocolate butterfly tigger pepper ginger maggie buster jennifer
        """

    static let whole = """
        12345678 123456789 1234567890 12345678910 123456781 123456788 123456780 12345679 1234567899 1234567891
        12345678901 123456789012 12345678900 1234567812345678 87654321 987654321 9876543210 0987654321 01234567
        012345678 0123456789 00000000 000000000 0000000000 11111111 111111111 1111111111 22222222 33333333 44444444
        55555555 555555555 66666666 666666666 77777777 777777777 88888888 888888888 99999999 999999999 9999999999
        11223344 1122334455 112233445566 11112222 22446688 10203040 1020304050 12121212 1212121212 13131313 10101010
        20202020 12341234 123412345 1234512345 12344321 1234554321 123123123 123321123 123454321 123654789 147258369
        147852369 159753456 159357456 741852963 963852741 789456123 456789123 321654987 123789456 258456258 69696969
        31415926 314159265 13579246 24681012 12345qwert 1234qwer 12345qwe 123qweasd 123qweasdzxc 123456qwerty
        123456abc 123456789a 123456789q 12345678a 1234567a 12345678q 123456aa 123456789abc 1234abcd 12345abc
        a1234567 a12345678 a123456789 aa123456 aa123456789 aa12345678 aa1234567 aa@123456 aa@12345 aa@1234567
        aa@123456789 aa112233 aa123123 aa102030 aabb1122 ab123456 abc12345 abc123456 abc123abc abcd1234 abcd@1234
        abc@1234 abc@12345 abcdefgh abcdefghi abcdefg1 abcabcabc aaaaaaaa aaaaaaaaa aaaa1111 asdfasdf asdfghjk
        asdfghjkl asdfjkl; asd12345 asd123456 asdasdasd asdf1234 qwerqwer qwer1234 qwer4321 qweasdzxc qweqweqwe
        qweasd123 qwe12345 qwe123456 qwertyui qwertyuio qwertz123 qwertzuiop qwerty12 qwertyqwerty qazwsxedc qaz12345
        q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q12345678 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r! 1qaz2wsx 1qaz2wsx3edc
        1qaz@wsx 1qazxsw2 !qaz2wsx 12qwaszx zaq12wsx zaq1zaq1 zaq!2wsx zxcvbnm, zxcvbnm123 zxcv1234 zxcasdqwe azertyuiop
        a1b2c3d4 a1s2d3f4 z1x2c3v4 1a2b3c4d poiuytrewq lkjhgfdsa mnbvcxz1 mnbvcxzlkj adgjmptw
        passpass password password! passwords passwort passwort1 motdepasse contrasena contraseña senha123 wachtwoord
        heslo1234 parola12 haslo123 salasana drowssap passwordpassword adminadmin admin123456 testtest testpass
        testing123 test1234 user1234 guest123 welcome1 letmein1 letmeinnow trustno1 iloveyou iloveyou! iloveyou2 iloveu123
        iloveme1 ilovegod ilovejesus jesuschrist jesus123 jesuslove godisgood godislove blessed1 bismillah allah123
        mohammed muhammad ganesh123 krishna1 pakistan pakistan123 india123 india@123 bangladesh indonesia vietnam1
        brazil123 turkey123 turktelekom vodafone marseille juventus realmadrid manchester everton1 celtic1888
        rangers1 steelers cowboys1 redskins yankees1 lakers24 patriots eagles12 packers1 broncos1 raiders1 giants12
        baseball1 football12 softball volleyball swimming snowboard skateboard cheerleader gymnastics
        starwars starwars1 startrek spiderman superman1 batman123 ironman1 captain1 wolverine pokemon1 pikachu1 digimon1
        dragonball naruto12 onepiece minecraft1 roblox123 fortnite playstation nintendo xbox360x counterstrike warcraft
        harrypotter gandalf1 lordoftherings hogwarts snoopy12 scooby12 mickey12 mickeymouse tinkerbell garfield
        sunshine sunflower sunset12 rainbow1 butterfly snowball snowflake raindrop moonlight starlight midnight diamond1
        princess princess1 prince12 queen123 kingkong kingking angel123 angels12 babygirl babygirl1 babyboy1 sweetheart
        sweetpea sweety12 honey123 precious beautiful gorgeous handsome superstar rockstar rockyou1 metallica slipknot
        nirvana1 greenday linkinpark blink182 eminem123 beyonce1 bobmarley hellokitty hello123 hello1234 hellohello
        helloworld goodluck whatever whatever1 nothing1 anything something everything forever1 together freedom1 success1
        victory1 champion champion1 infinity eternity paradise serenity happy123 happyday smile123 lovelove lovers12
        loveyou1 loveme12 lover123 love1234 love12345 mylove12 truelove firstlove loverboy heartbreak family123
        mother12 father12 brother1 sister12 daughter children grandma1 daddy123 mommy123 mom12345
        jennifer jessica1 michelle michael1 michael12 jonathan benjamin nicholas christopher christian christina
        christine catherine charlotte elizabeth alexander alexandra alexandre alexandria anderson angelica angelina anthony1
        ashley12 brandon1 brittany caroline danielle daniel12 dominic1 fernando florence francesco francisco frederic
        gabriel1 gabriela geraldine giovanni guillermo gustavo1 isabella isabelle jackson1 jasmine1 jordan23 jordan12
        josephine joshua12 katherine kimberly lawrence leonardo madeline margaret margarita marianne marshall martinez
        maryjane matthew1 melissa1 mercedes mitchell montana1 morgan12 natalie1 nathalie patricia patrick1 rebecca1 richard1
        robert12 roberto1 rodrigo1 samantha samuel12 sebastian stephanie stephen1 theodore thompson valentin valentina
        valentine valeria1 vanessa1 veronica victoria vincent1 virginia william1 williams winston1 zachary1
        computer computer1 internet internet1 password1! security secure12 keyboard samsung1 samsung12 motorola nokia123
        microsoft windows1 google12 facebook1 twitter1 instagram linkedin youtube1 snapchat whatsapp myspace1 myspace123
        corvette mustang1 porsche1 ferrari1 mercedes1 chevrolet firebird camaro12 harley12 yamaha12 suzuki12 kawasaki honda123
        toyota12 nissan12 cadillac maverick explorer explorer1 discover traveler adventure
        dragon12 dragon123 monkey12 monkey123 tiger123 tigers12 lion1234 panther1 panthers dolphin1 dolphins elephant
        crocodile alligator kitty123 kittycat doggydog puppies1 bulldogs bluebird blackbird blackcat redwings wildcats longhorn
        shadow12 shadow123 phantom1 thunder1 lightning hurricane blizzard fireball firefire firefly1 spitfire wildfire
        blackjack blackstar blackrose bluemoon bluesky1 redrose1 goldfish goldstar silver12 platinum purple12 purple123
        orange12 orange123 banana12 banana123 cherry12 strawberry pineapple watermelon blueberry peaches1 cheese12 cheese123
        chocolate chocolate1 cookie12 cookie123 cupcake1 candy123 lollipop marshmallow popcorn1 budweiser heineken whiskey1
        marlboro mountain mountaindew coca-cola cocacola cocacola1 pepsi123 drpepper
        soccer12 soccer123 soccer11 hockey12 hockey123 tennis12 golfgolf golfer12 fishing1 hunting1 hunter12 hunter123
        killer12 killer123 ninja123 samurai1 warrior1 warriors gladiator spartan1 sparta300 trooper1 soldier1 military marines1
        airborne commando assassin terminator predator matrix12 matrix123 cheyenne cherokee geronimo arizona1 colorado
        california carolina michigan minnesota missouri newyork1 northside virginia1 scotland ireland1 germany1 deutschland
        hamburg1 england1 liverpool1 liverpool123 manunited manutd12 chelsea1 arsenal1 arsenal123 barcelona1 galatasaray
        fenerbahce besiktas corinthians flamengo palmeiras vasco123 goodmorning midnight1 december november september
        february thursday saturday wednesday birthday anniversary christmas halloween valentine1 summer12 summer123
        winter12 theworldinyourhand lol123456 fuckyou1 fuckyou2 fuckyou! fuckoff1 asshole1 bullshit bitch123 pussycat
        sexsexsex sexy1234 hotstuff hardcore badboy12 badgirl1 gangster gangsta1 stoner420 weed4200 smokeweed
        changeme changeme1 default1 temporary temp1234 access14 access123 letmein123 opensesame openup12 enter123
        password0 student1 teacher1 school12 college1 graduate medicine hospital business business1 marketing
        manager1 director engineer support1 service1 customer company1 office12 training system32 server12 network1
        database oracle12 mysql123 linux123 ubuntu12 cisco123 router12 admin@123 admin@1234 adminisp admintelecom
        p@55w0rd p@ssw0rd1 pass@123 pass@1234 pass@12345 welcome@123 test@123 demo@123 abc@123! qwerty@123 guru123456
        """
}
