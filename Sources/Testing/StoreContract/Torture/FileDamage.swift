import CoreDataGraph

/// An accidental change of a file.
public enum FileDamage: Sendable, CustomStringConvertible {
    /// The byte at an offset is XORed with a mask.
    case flip(offset: Int, mask: UInt8)
    /// The file is truncated to a length in bytes.
    case truncation(length: Int)

    public var description: String {
        switch self {
        case .flip(let offset, let mask): "byte \(offset) changed by \(mask)"
        case .truncation(let length): "cut off at \(length)"
        }
    }

    /// The bytes after the damage; one beyond the end changes nothing.
    public func applied(to bytes: Data) -> Data {
        switch self {
        case .flip(let offset, let mask):
            guard offset >= 0, offset < bytes.count else { return bytes }
            var damaged = bytes
            damaged[damaged.startIndex + offset] ^= mask
            return damaged
        case .truncation(let length): return Data(bytes.prefix(max(0, length)))
        }
    }
}
