import Foundation
import PeerKit

/// A peer: the name that people see, and an identifier by which programs know it.
///
/// Two peers of the same name are not equal, as with Apple's class. A program that wants to be known again archives its own
/// peer (`NSKeyedArchiver`) and its ``PeerIdentity``; the archive of a peer has no key.
open class MCPeerID: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Never changed after the initializer.
    private let name: String
    /// 32 hexadecimal digits.
    package let identifier: String

    /// Makes a peer with a name of 1 to 63 bytes of UTF-8 without control characters; stops for any other.
    public init(displayName: String) {
        if let objection = Introduction.objection(toName: displayName) {
            preconditionFailure("MCPeerID(displayName:): \(objection)")
        }
        (name, identifier) = (displayName, Self.newIdentifier())
    }

    /// Makes a peer with a name that a person has typed, perhaps.
    ///
    /// - Throws: ``MCError`` with `invalidParameter` for a name that is not allowed.
    public init(validating displayName: String) throws {
        if let objection = Introduction.objection(toName: displayName) {
            throw MCError(.invalidParameter, objection, hint: "give 1 to 63 bytes of UTF-8 without control characters")
        }
        (name, identifier) = (displayName, Self.newIdentifier())
    }

    /// A peer of which another machine says what it is.
    ///
    /// - Throws: ``MCError`` with `invalidParameter` for a name or an identifier that is not allowed.
    package init(displayName: String, identifier: String) throws {
        if let objection = Introduction.objection(toName: displayName) { throw MCError(.invalidParameter, objection) }
        guard Introduction.isIdentifier(identifier) else {
            throw MCError(.invalidParameter, "the identifier of a peer is not 32 hexadecimal digits")
        }
        (name, self.identifier) = (displayName, identifier)
    }

    /// The name that people see.
    open var displayName: String { name }

    private static func newIdentifier() -> String {
        UUID().uuidString.lowercased().filter { $0 != "-" }
    }

    /// Whether the other object is the same peer, whatever it is called.
    open override func isEqual(_ object: Any?) -> Bool { (object as? MCPeerID)?.identifier == identifier }

    open override var hash: Int { identifier.hash }

    open override var description: String { "\(displayName) (\(identifier.prefix(8)))" }

    // MARK: Coding

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Returns the peer itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "displayName")
        coder.encode(identifier as NSString, forKey: "identifier")
    }

    /// Reads a peer; nil if the archive has no valid name and identifier.
    public required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "displayName") as String?,
            let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") as String?,
            Introduction.objection(toName: name) == nil, Introduction.isIdentifier(identifier)
        else { return nil }
        (self.name, self.identifier) = (name, identifier)
    }
}
