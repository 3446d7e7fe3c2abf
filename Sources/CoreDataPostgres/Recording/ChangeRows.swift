import CoreDataSQL
import PostgresKit

/// Changes as the columns of `ACHANGE`, each column an array.
struct ChangeRows {
    /// So many changes at most go into one statement.
    static let mostRows = 10_000

    private let changes: ArraySlice<ChangeRecord.Change>
    private let shape: PostgresShape
    private let properties: [HistoryProperties]

    init(_ changes: ArraySlice<ChangeRecord.Change>, _ shape: PostgresShape, _ properties: [HistoryProperties]) {
        self.changes = changes
        self.shape = shape
        self.properties = properties
    }

    func parameters() throws -> [PostgresParameter] {
        var sets = ColumnArray(.blob, capacity: changes.count)
        var tombstones = ColumnArray(.blob, capacity: changes.count)
        for change in changes {
            if change.kind == .update {
                let packed = properties[change.address.binding.layout.number].packed(change.properties)
                packed.withUnsafeBytes { sets.append(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0)) }
            } else {
                sets.appendNull()
            }
            guard !change.tombstone.isEmpty else {
                tombstones.appendNull()
                continue
            }
            Self.coded(change.tombstone).withUnsafeBytes {
                tombstones.append(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0))
            }
        }
        return [
            .integers(changes.map(\.kind.rawValue)),
            .integers(changes.map { Int64(shape.entityNumber(ofLayout: $0.address.binding.layout.number)) }),
            .integers(changes.map(\.address.key)), try sets.parameter(), try tombstones.parameter(),
        ]
    }

    /// Kept values in the form of the elements of a composite.
    static func coded(_ cells: [DerivedCell]) -> [UInt8] {
        var coding = CompositeCoding()
        for cell in cells {
            switch cell.tag {
            case RowTag.text, RowTag.blob: cell.bytes.withUnsafeBytes { coding.append(cell.tag, bytes: $0) }
            default: coding.append(cell.tag, bits: cell.bits)
            }
        }
        return coding.bytes
    }
}
