/// Why an item of a sealed transport is of no use.
enum SealFailure: Error, Hashable {
    /// Bytes are missing, were altered, or follow the end.
    case damaged
    /// It is of another version of the format.
    case newerVersion
    /// It begins like nothing that is sealed.
    case notSealed
    /// It is larger than anything that is read.
    case tooLarge
    /// This device was not given the key.
    case unknownKey
    /// The device that signed it was not admitted, as far as is known here.
    case unknownAuthor
    /// Written by a device that was revoked before anyone saw this item.
    case revokedAuthor
    /// A request with a text that another device used.
    case usedText
    /// A request with a text that has expired.
    case expiredText

    /// Whether the item may become readable although its bytes stay.
    var mayPass: Bool { self == .unknownKey || self == .unknownAuthor }

    /// The failure, as it continues a sentence about the item.
    var reason: String {
        switch self {
        case .damaged: "is damaged or was cut off"
        case .newerVersion: "is of another version of the format"
        case .notSealed: "is not sealed"
        case .tooLarge: "is too large"
        case .unknownKey: "is sealed with a key that this device was not given"
        case .unknownAuthor: "was written by a device that was not admitted"
        case .revokedAuthor: "was written by a device that was revoked"
        case .usedText: "asks to be admitted with a pairing text that another device has used"
        case .expiredText: "asks to be admitted with a pairing text that has expired"
        }
    }

    /// What to do about it.
    var cure: String {
        switch self {
        case .damaged: "Nothing of it was applied. Its author writes again what peers lack."
        case .newerVersion: "Update this program."
        case .notSealed, .tooLarge: "Remove it if it is not needed: only sealed items are read here."
        case .unknownKey:
            "Let another device exchange, which gives the key to all that take part; pair this device again if it was revoked."
        case .unknownAuthor: "Let the device that admitted the author exchange."
        case .revokedAuthor: "Pair the device again if it is to take part."
        case .usedText, .expiredText: "Make a new text with 'coredata sync pair', and use it once."
        }
    }
}
