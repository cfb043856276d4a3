/// The words of a plan of a merge, for the person who must agree to it.
package enum MergeTexts {
    /// Why something does not move, by the name of the collision.
    package static func text(ofCollision name: String) -> String {
        switch name {
        case "targetHasProvider": "the target account keeps its own of this kind"
        case "targetHasNumber": "the target account keeps its own number"
        case "targetHasAddress": "the target account keeps its own address"
        case "numberIsFactor": "the number is a second factor of the target account"
        case "numberSignsIn": "the number signs in to the target account"
        case "targetHasFactor": "the target account has the same one"
        case "factorLimit": "the target account may not have more of them"
        default: name
        }
    }

    /// A field of the profile, by its name.
    package static func text(ofField name: String) -> String {
        switch name {
        case "displayName": "the name"
        case "photoURL": "the picture"
        default: name
        }
    }

    /// A provider's name for people, by its ID.
    package static func name(ofProvider id: String) -> String {
        switch id {
        case "google.com": "Google"
        case "facebook.com": "Facebook"
        case "github.com": "GitHub"
        case "apple.com": "Apple"
        case "twitter.com": "X"
        case "microsoft.com": "Microsoft"
        case "phone": "phone number"
        default: id
        }
    }
}
