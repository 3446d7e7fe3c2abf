import CoreDataSQL
import PostgresKit

/// Changes as parameters for the columns of `ACHANGE`: an array for each column, or scalars if there is a single
/// change.
struct ChangeRows {
    /// The maximum number of changes in one statement.
    static let mostRows = 10_000

    private let changes: ArraySlice<ChangeRecord.Change>
    private let shape: PostgresShape
    private let properties: [HistoryProperties]

    init(_ changes: ArraySlice<ChangeRecord.Change>, shape: PostgresShape, properties: [HistoryProperties]) {
        self.changes = changes
        self.shape = shape
        self.properties = properties
    }

    /// Whether there is a single change, for which statements have another form.
    var isOne: Bool { changes.count == 1 }

    /// Returns a SELECT of the changes in their order, each preceded by a transaction's number.
    ///
    /// - Parameters:
    ///   - number: SQL for the transaction's number, a column of `origin`.
    ///   - first: the number of the first of the five parameters.
    func selection(_ number: String, from origin: String, parametersFrom first: Int) -> String {
        let types = ["int8", "int8", "int8", "bytea", "bytea"]
        let values = types.enumerated().map { "$\(first + $0)::\($1)\(isOne ? "" : "[]")" }.joined(separator: ", ")
        return isOne
            ? "SELECT \(number), \(values) FROM \(origin)"
            : "SELECT \(number), u.t, u.e, u.k, u.c, u.v FROM \(origin), unnest(\(values)) WITH ORDINALITY "
                + "AS u(t, e, k, c, v, n) ORDER BY u.n"
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
        let integers: [[Int64]] = [
            changes.map(\.kind.rawValue),
            changes.map { Int64(shape.entityNumber(ofLayout: $0.address.binding.layout.number)) },
            changes.map(\.address.key),
        ]
        guard isOne else {
            return integers.map { .integers($0) } + [try sets.parameter(), try tombstones.parameter()]
        }
        return integers.joined().map { .integer($0) } + [try sets.onlyElement(), try tombstones.onlyElement()]
    }

    /// Encodes tombstone values like the elements of a composite.
    static func coded(_ cells: [DerivedCell]) -> [UInt8] {
        var coding = CompositeCoding()
        for cell in cells { coding.append(cell) }
        return coding.bytes
    }
}
