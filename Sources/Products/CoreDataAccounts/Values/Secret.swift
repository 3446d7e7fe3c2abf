/// A text that must not be seen: a token, a code or a client's secret.
///
/// Whatever prints, dumps, mirrors or encodes it shows `(secret)`; only ``reveal()`` returns the text. It cannot be decoded, so
/// that no type that has one is read from a file by mistake. The comparison takes a time that depends on the lengths alone.
public struct Secret: Sendable, Equatable, Encodable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    /// Makes a secret of a text.
    public init(_ text: String) { self.text = text }

    /// The text, for the place where it is used.
    public func reveal() -> String { text }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

    /// Encodes `(secret)`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public static func == (left: Secret, right: Secret) -> Bool {
        let (first, second) = (Array(left.text.utf8), Array(right.text.utf8))
        guard first.count == second.count else { return false }
        return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A secret of 32 random bytes of the system, in 43 characters that URLs need not encode.
    static func random() -> Secret {
        var generator = SystemRandomNumberGenerator()
        return Secret(URLText.base64((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }
}
