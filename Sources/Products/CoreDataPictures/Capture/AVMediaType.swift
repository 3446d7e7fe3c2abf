/// A kind of media, by Apple's identifiers.
public struct AVMediaType: RawRepresentable, Sendable, Hashable {
    /// The identifier, of four characters.
    public let rawValue: String
    /// Makes a kind of its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pictures in succession.
    public static let video = AVMediaType(rawValue: "vide")
    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
}

/// Whether a person allows a kind of device.
public enum AVAuthorizationStatus: Int, Sendable, Hashable {
    /// The person was not asked yet.
    case notDetermined
    /// The system does not allow it, and asking would not help.
    case restricted
    /// It was refused.
    case denied
    /// It is allowed.
    case authorized
}
