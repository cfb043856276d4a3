import AuthCore

/// Throw-away keys, made for these tests.
enum TestKey: String, CaseIterable {
    case rsa
    case otherRSA
    case shortRSA
    case p256
    case p384
    case ed25519

    /// The private key in PKCS 8 and base64.
    var privateKey: String {
        switch self {
        case .rsa:
            "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCrI5dWztbrqWqk8xNvmQ5fk1nA7iENuRiDYrDd6+pgTskc4U42"
                + "498FvQWHmau4N0+J7cgXzb+P7feZIgG9Xlu+iRWyIXMhRxMXz42DcLYSDOCl4DrC2KYKT+u3PnrbLugttXJ+sKX6KFG7UKDt2+Ml"
                + "HcS1bsySIAyAF7yA/Zi1MsoEJggmMDC81a/wbt1p0upLQkGvIxdUxn60t1eNaY0+7sGzKnxrxN/e2LpxcxBqnFmvg/eKUA/rszEA"
                + "7c9muEe4N89A/k12CVOSQtXViY8rJ/ITP6bn/sG6bhMe0fZ3spVYuwriQthGnvsj7e3b5H5bOmdiFFKbBm1nVZp+w/IpAgMBAAEC"
                + "ggEAVMrqlekflV24aAfDrnxgIbypMK0LlXgLDDXeueXEl3kRrgx3qzyV6Irx7XCXI0vMTeORSzH24sId9jJiOEhDHpFfPYXTPD6x"
                + "2A9O5zv2CdV1jNofYyDii6Nzf7QmPOjtwo/vLZQqeFp3vF5DjfZvgZlROC+wjgnxB5o7HJIJkmTJRKuqBBX98RrEBZcBRBbJpyrc"
                + "E8oHOfqJCxxDgkAwCeUNT9q43gijSri0BacEvy57rFi9B8Euz6/Uvgx9uWlvBTVogHOai0FZQWttxjfgRE9I4yxgAM3HIDMndDAQ"
                + "Zk1J7cHrq2NXa7XUqIbp1FW/MZlG7IMriN/B/OfLdhy7nQKBgQDwiFzMMXLjXiE9pnkpaS2IUF+pgbTLcDaBLdoF+kn8OMqJH/vR"
                + "OaRo8iErNLoe7uwWU356gR9Y5Y98YHMVHvttDmvcXbZpYn70Yu2xIaSq5lfqERz2c77fXNKYAMKUnbAT3H0LtXvE0CmhQ0t8qZ6a"
                + "kZFumSEZBXBRxX/2jcjOMwKBgQC2JN+0uXW9RCVoI7LfOL1uS4y8eFfn6I26O22rRjm/MRm3yo0SzQLVhX4OUuRNSk86f82w0Fhj"
                + "86WC9Xl51GLjC/bfD45pt+n8A7CCT81YqoTrVK2woEqDKsLxX8TPpgqLrc1Kz6j+CqazpjfA7sonoGA8+ZfnmUQPiG8jXteqMwKB"
                + "gQC8aZSHPpTIFYvkRurRzVmlVZAZr0h3s0Z+mfQWiqA5uiKslykiEwz+R+xDc+H3KSA1vOFuBIcRk4B55PNAsCwymQFUdPPWSRk5"
                + "ReT6w2fBlv12lEEjrDbvsD4mYzIISB0M8cHh0h9JY+W4NIaE+DkMysoo4DpU5zW8WACMmTOakQKBgG4KtQSQj2t7QkY6WxS1SOzb"
                + "w/kRk7pOK2H6CXXShYzW8zywqK5VIYMylUe+GKQBYwBqujA6j0xDpRkLiQproBqf3dRBp76DGF/jMr5nzB3nV0p97DmrfZjlOsVt"
                + "IJB7Nh/RLxglgWmJsdETeNec7JEoOTxdZsLLO+1OdiaeZBk1AoGBAIcWKIGc1ci7sSIBPiBeTqS+4SXQEqY7lV17IGKoGZEqf8xl"
                + "DMskow3fp+6cqDVWd0Iz3BZkNgDCF7huywMY0eJP+C1k6tI42Zkc3tSjqWFA5dXF0H4O6QxVkxdZ6Cm0wPh/oPLHWEFrZF9VpSA4"
                + "CMPJEVTjhi/UJoUTQbGThivd"
        case .otherRSA:
            "MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQDqN0oG5aZrJVkA5/Y6l9/2HPCaR4k3ik221tzxGIJIdGi4oS9c"
                + "VHRowJaKGn3T3Uv1wQsgCo4IJkSkQFx+0+prxv4jInX7i5s+HevRcw1kO4z3bPuGCxJgJIUNLs2oyEbmqEFq96rMeygcgxN9oa6t"
                + "44/j26v8Ldtvps2XBGK9krhpPAWqmA28IhZWBYC/zhIqere7DR/AmAYqdDKoREpVWBiXlYU19jxWcl97xlcwxBh7t/J3xy/yjMXu"
                + "7d0E3qEcShTeWOhrC24utfbGu9R2tSkmXcxBUPhA8IPTHI+O4KDvsVLA/hxSjjhmS7iRq1e4mzTZ/9lCi9GpDnqd1hE/AgMBAAEC"
                + "ggEAclWwMQK9hTOTqcISrNLEFVhWSfIe9Xpx6o4kCBvfSbBuCKdCv+9IbnSJaHx7LUgr0xm8LRWJ9Ud9HbN/k7guiRN4rz0c3EFv"
                + "9NhVbIceI+6AJ67PcEWKYF2jh+ZvpfOyzNmZKbcibTS3xYdlJeCeLavXa7OqVu4p32zNkumkrAZ7HiMI3RxfjZKCbyoznG5xFrlE"
                + "shGL9c9Qc/qghhfSsm6HU3OkoEuGKbutxAR095FkxeDEjjlhdkpunShHPq167ymKb1LuUUGGOOUrGiYJfLgv1o9WcDzPoSqkKNCW"
                + "9SSQYPfea44VKFKNqj7ART6msyvyJmgRFRLwwpreCLBwnQKBgQD46yx3UhIZYHBXzQVWmKPxty+bxV841jYZz6g3/8OspeK0KEwa"
                + "W3MrFNP7kPgUpdTH+YJuvvMBz1HCOqVXlQyzPxA8dOB9BczFE4SJ6SJpB1Q4y8inJHdcPJz5g5af6YIt9c2o1rllK1PdigOr8mam"
                + "m+u6b5EgofpI2D5MeSbb+wKBgQDw4QnrML1zQaCxNeyQ3CiXGdFMHL4V6GA3fWyc3dDtr6QLke5gHI3j6WEZlhJysqMiR5U9018e"
                + "imQ8pRWncvmX821nmDn2t/kyS4Z4HiMmnvLL7mt6rh47B8TbMaZzFkBQWxL4whlW7nLuqiudUOsoyBGGzs5pZkdVmWxW+PA4jQKB"
                + "gQDmzimM+iyOGz4QK6qngSGDH7ilV33T1cyUYlg4lI97ptVu926ZgfJoIAfvW5ysiJekVVb8GVJ6eyH0Vyy46Ru9mNwVMsp1Isuc"
                + "cVyUA/hEKueNQmfrk4SZohprwfgIjxyGQUVRKMj/Zg19flupNDq6ghkx5gFLoOXSZbBeeHfvwQKBgQDsiN83j4YJvuEwAzbJTRei"
                + "wRxwdC0I0EZjVwunwn3eWUJqhiOhR4jhzBOoj2CQNvDQwaBAtOZL1DP4BVgNNW75EnZVavtIVYIkLFvgah+0VhMvxHDQaFiROODL"
                + "Kac8jhYbkkM/+UHuxnof+QSZF5PEWSo0ybGReHkGCoGDqjIiJQKBgQCTaC+HzF3HXjXKpBzyPfzsOIl5X/wCKHHVutZ0xv+zDHMH"
                + "AlGDtjpCMxRRYKntXurg74zTVJErdD0UnxqxiwyGUrgW7X78LGBGjhGG4HymaUxS6DxRumgTsrZ878bnapujxz2aIZ4a3dVKAI7d"
                + "T53reG/iXIF0Kpmki+MEehstEg=="
        case .shortRSA:
            "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBANdtfElFwl37sZ4zYfaR7WvTpx/HMXRCPTvFy0bseiY0RUWPM38m"
                + "iPu1cCFjWcsjMZlNhzu3bVvO9xHiruvrx8tory14FePmGqYquPklsQ/+Dk+emsEf35rd6jhJvB09/99BUXMhpoxGb/ym0EOjMOXZ"
                + "fFnB4nfCJwcKnfm1Tkk/AgMBAAECgYBGeBwV4+nm0HSTqX88JxQhF4Ut0f0NaLWbHeKW+rgiUyrtzCAuUa6xl/JsGZG/721EFqZM"
                + "FH6Db7pGcX6C0gfymkL1eli/BdptRLUKuNd3N6KcIk6gLVP/oswCSi5Z/et2Qjvm1kEjnUUrXmceuPUbNfcGW/0vNwRV5caPWwhJ"
                + "IQJBAPFrcqnVeeDHszEzMznGcGoXcvp42zfGTyqPFP46wvABltc6GBnSwMGnY36UnUCBPTF7d3CfbkehMyWhPIiSCmkCQQDkcC3D"
                + "EmAmaIaa0s1TnQ0diAxfOK0ve4OmCJwXjW92K7Sz6T+7C1kXV9b+sed9ONb55RSgXgKfMDJlwgucXjFnAkAvi7TCY+uj7FCLMQU2"
                + "rLE5A7M+Rw0Nd/3haNp+kz4PHJEDhEp403vo57l9lXE+4fUWSLWmNY/3hXTYRV/xmal5AkEAjUQSCKBEdXwOQZA7CYoFok2P2RLj"
                + "homLUBHi9W2xkBJXHSsRDkpmPdlESx0ZWobb6o2Pw9xfIrJbeDIXnAtj4QJAdPRXmuKKXTxYjoEabXjcYwjIzcSjz5IBJIM0b+rA"
                + "KrKdd+WWtIToPozNpUlAHq4fAP/2Ra9CzL3n6d/H60gksw=="
        case .p256:
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZlJD2uLBBJUmDnrEPR/vFRLvXiZCJROA0RkpCnDs9A2hRANCAAQw"
                + "kDTHc6STrZ0jx9CGcBbT8o1NDpyhP8MuJmLy0sWA/59O+f8tX3QbzhzVkTg6xKUhMcbHlqZTvusTNoWZqjnI"
        case .p384:
            "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAM+yWLOyv+hVPrjtThy4UIiA4+S9BhFUt8g76ih9S0Gyh+Qx9O7+qQ"
                + "T53YSC9AjQChZANiAATwhlS79fcVdbytSQQBz1v6/U8bnw3Y24cVC+d2y08jQZHm2o5CQSmm+Y0bsXQ0b7rnbzdWivC6HLgUR0Ku"
                + "1hN0Nj++oLEe9UHOLuoMGnugG7tcxwqHc4ky2YUsXdwD6ik="
        case .ed25519:
            "MC4CAQAwBQYDK2VwBCIEIP/DA0ztf9XKz8jtmEEFc2ySw7eWGrWT7cxdYvlt6w+c"
        }
    }

    /// The public key as a JSON Web Key, with these further members.
    func webKey(_ more: [String: ClaimValue] = [:]) -> ClaimValue {
        .object(publicMembers.mapValues { ClaimValue.string($0) }.merging(more) { _, new in new })
    }

    /// The members of the public key as a JSON Web Key.
    var publicMembers: [String: String] {
        switch self {
        case .rsa:
            [
                "kty": "RSA", "e": "AQAB",
                "n":
                    "qyOXVs7W66lqpPMTb5kOX5NZwO4hDbkYg2Kw3evqYE7JHOFONuPfBb0Fh5mruDdPie3IF82_j-33mSIBvV5bvokVsiFzIUcTF8-"
                    + "Ng3C2EgzgpeA6wtimCk_rtz562y7oLbVyfrCl-"
                    + "ihRu1Cg7dvjJR3EtW7MkiAMgBe8gP2YtTLKBCYIJjAwvNWv8G7dadLqS0JBryMXVMZ-tLdXjWmNPu7Bsyp8a8Tf3ti6cXMQapxZr"
                    + "4P3ilAP67MxAO3PZrhHuDfPQP5NdglTkkLV1YmPKyfyEz-m5_7Bum4THtH2d7KVWLsK4kLYRp77I-3t2-R-"
                    + "WzpnYhRSmwZtZ1WafsPyKQ",
            ]
        case .otherRSA:
            [
                "kty": "RSA", "e": "AQAB",
                "n": "6jdKBuWmayVZAOf2Opff9hzwmkeJN4pNttbc8RiCSHRouKEvXFR0aMCWihp9091L9cELIAqOCCZEpEBcftPqa8b-IyJ1-"
                    + "4ubPh3r0XMNZDuM92z7hgsSYCSFDS7NqMhG5qhBaveqzHsoHIMTfaGureOP49ur_C3bb6bNlwRivZK4aTwFqpgNvCIWVgWAv84SK"
                    + "nq3uw0fwJgGKnQyqERKVVgYl5WFNfY8VnJfe8ZXMMQYe7fyd8cv8ozF7u3dBN6hHEoU3ljoawtuLrX2xrvUdrUpJl3MQVD4QPCD0"
                    + "xyPjuCg77FSwP4cUo44Zku4katXuJs02f_ZQovRqQ56ndYRPw",
            ]
        case .shortRSA:
            [
                "kty": "RSA", "e": "AQAB",
                "n": "1218SUXCXfuxnjNh9pHta9OnH8cxdEI9O8XLRux6JjRFRY8zfyaI-7VwIWNZyyMxmU2HO7dtW873EeKu6-vHy2ivLXgV4-"
                    + "Yapiq4-SWxD_4OT56awR_fmt3qOEm8HT3_30FRcyGmjEZv_KbQQ6Mw5dl8WcHid8InBwqd-bVOST8",
            ]
        case .p256:
            [
                "kty": "EC", "crv": "P-256",
                "x": "MJA0x3Okk62dI8fQhnAW0_KNTQ6coT_DLiZi8tLFgP8",
                "y": "n075_y1fdBvOHNWRODrEpSExxseWplO-6xM2hZmqOcg",
            ]
        case .p384:
            [
                "kty": "EC", "crv": "P-384",
                "x": "8IZUu_X3FXW8rUkEAc9b-v1PG58N2NuHFQvndstPI0GR5tqOQkEppvmNG7F0NG-6",
                "y": "5283Vorwuhy4FEdCrtYTdDY_vqCxHvVBzi7qDBp7oBu7XMcKh3OJMtmFLF3cA-op",
            ]
        case .ed25519:
            [
                "kty": "OKP", "crv": "Ed25519",
                "x": "UybA9lUUtvSqYFzFhheftpnnV7r6U-xmwRS02KVJa20",
            ]
        }
    }
}
