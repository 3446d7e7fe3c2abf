import CoreDataSyncing
import Foundation

/// A text by which one device joins a group: `opencoredata-pair:` and what it needs. Who has it before it was used can join in its place.
public struct PairingText: Sendable, CustomStringConvertible, CustomReflectable {
    private static let prefix = "opencoredata-pair:"
    private static let version: UInt8 = 1
    /// How many bytes the address has at most.
    private static let greatestAddress = 4_096

    let group: Fingerprint
    let secret: SecretBytes
    let expiry: UInt64
    /// The address of the transport at the device that made the text; nil if it has none.
    public let address: String?

    init(group: Fingerprint, secret: SecretBytes, expiry: UInt64, address: String?) {
        (self.group, self.secret, self.expiry, self.address) = (group, secret, expiry, address)
    }

    /// Reads a text; white space around it is left out.
    ///
    /// - Throws: `SyncError` with the code `pairing` if it is not such a text, or was not copied whole.
    public init(_ text: String) throws {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.hasPrefix(Self.prefix), let bytes = Self.bytes(String(trimmed.dropFirst(Self.prefix.count)))
        else {
            throw Self.notText
        }
        do {
            guard bytes.count > 4, Sodium.hash(bytes.dropLast(4), count: 16).starts(with: bytes.suffix(4)) else {
                throw SealFailure.damaged
            }
            var reader = SealReader(bytes.dropLast(4))
            guard try reader.fixed(1) == UInt64(Self.version) else { throw SealFailure.newerVersion }
            group = try reader.fingerprint()
            secret = SecretBytes(try reader.raw(Invitation.secretSize))
            expiry = try reader.fixed(8)
            let address = try reader.text(atMost: Self.greatestAddress)
            self.address = address.isEmpty ? nil : address
            try reader.finish()
        } catch {
            throw Self.notText
        }
    }

    /// When the text expires, by the clock of the device that made it.
    public var expires: Date { Date(timeIntervalSince1970: Double(expiry)) }

    /// The text to pass on.
    public var text: String {
        var writer = SealWriter()
        writer.raw([Self.version])
        writer.raw(group.bytes)
        writer.raw(secret.bytes)
        writer.fixed(expiry, 8)
        writer.text(address ?? "")
        writer.raw(Sodium.hash(writer.bytes, count: 16).prefix(4))
        let base64 = Data(writer.bytes).base64EncodedString()
        return Self.prefix
            + base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// What may be printed: nothing of the secret.
    public var description: String { "\(Self.prefix)(secret)" }
    /// Nothing: dumps show no secret.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count < 8_192 else { return nil }
        var base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while !base64.utf8.count.isMultiple(of: 4) { base64 += "=" }
        return Data(base64Encoded: base64).map { Array($0) }
    }

    private static var notText: SyncError {
        SyncError(
            .pairing, "The text is not one that pairs a device, or a part of it is missing.",
            cure: "Copy the whole text that begins with '\(prefix)'.")
    }
}
