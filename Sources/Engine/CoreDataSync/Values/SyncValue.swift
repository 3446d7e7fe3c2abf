import Foundation

/// A value of an attribute as it travels, with its type.
///
/// Two values are equal if their bytes are: -0.0 differs from 0.0, and so do texts that look alike and differ in their scalars.
package enum SyncValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case data([UInt8])
    /// Seconds since 1 January 2001.
    case date(Double)
    case uuid(UUID)
    case uri(String)
    case array([SyncValue])
    /// A value that travels in chunks beside the transactions.
    case large(LargeValue)
    /// A value of a kind that a newer program wrote, kept as it is.
    case unknown(tag: UInt8, bytes: [UInt8])

    package var isNull: Bool { if case .null = self { true } else { false } }
}

extension SyncValue: Hashable {
    package static func == (left: SyncValue, right: SyncValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.int(let one), .int(let other)): one == other
        case (.float(let one), .float(let other)): one.bitPattern == other.bitPattern
        case (.double(let one), .double(let other)): one.bitPattern == other.bitPattern
        case (.date(let one), .date(let other)): one.bitPattern == other.bitPattern
        case (.decimal(let one), .decimal(let other)): one.description == other.description
        case (.string(let one), .string(let other)), (.uri(let one), .uri(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.data(let one), .data(let other)): one == other
        case (.uuid(let one), .uuid(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.large(let one), .large(let other)): one == other
        case (.unknown(let tag, let bytes), .unknown(let otherTag, let others)): tag == otherTag && bytes == others
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}

extension SyncValue {
    /// The value's bytes in the format.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(self)
        return writer.bytes
    }
}
