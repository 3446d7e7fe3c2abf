import CoreDataSync

/// A checksum by which items that are written again get the same name, and lists of names are compared. It protects nothing.
package enum SyncChecksum {
    /// The FNV-1a hash of bytes.
    package static func value(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The hash as 16 hexadecimal digits.
    static func text(of bytes: [UInt8]) -> String { PeerID(value(of: bytes)).description }
}
