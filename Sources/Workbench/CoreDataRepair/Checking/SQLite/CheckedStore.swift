import CoreData
import SQLiteKit

/// A value that is bound to a parameter of a statement.
typealias StatementValue = SQLiteKit.Value

/// An SQLite store with its model and the schema that maps the model's entities to the tables of the file.
struct CheckedStore {
    let raw: RawStore
    let model: NSManagedObjectModel
    let schema: StoreSchema
    let differences: [SchemaDifference]
    /// The names of the file's columns by table name, all in upper case.
    private let columns: [String: Set<String>]

    init(_ raw: RawStore, _ model: NSManagedObjectModel, configuration: String?) throws {
        self.raw = raw
        self.model = model
        let resolution = try raw.resolution(of: model, configuration: configuration)
        schema = resolution.schema
        differences = resolution.differences
        columns = Dictionary(
            raw.tables.map { ($0.uppercased(), Set(raw.columns(of: $0).map { $0.uppercased() })) },
            uniquingKeysWith: { first, _ in first })
    }

    var connection: Connection { raw.connection }

    /// Whether Apple's framework made the store, judged by the metadata: they have a framework version other than the
    /// one that this library writes, or a key that only Apple's framework writes.
    var isOfApplesFramework: Bool {
        let metadata = (try? raw.metadata()) ?? [:]
        let version = metadata["NSPersistenceFrameworkVersion"] as? NSNumber
        return version.map { $0.intValue != Int(NSCoreDataVersionNumber) } ?? false
            || metadata["NSPersistenceMaximumFrameworkVersion"] != nil
    }

    /// Whether the file has a table with all columns of these names; ignores case, and names that are nil.
    func has(_ table: String, _ names: String?...) -> Bool {
        guard let present = columns[table.uppercased()] else { return false }
        return names.allSatisfy { name in name.map { present.contains($0.uppercased()) } ?? true }
    }

    /// The entities that are mapped to a table, including abstract ones.
    func entities(in table: String) -> [EntityMapping] { schema.entities.filter { $0.table == table } }

    /// The tables of entities that exist in the file with the columns `Z_PK`, `Z_ENT` and `Z_OPT`.
    var tables: [String] {
        var seen: Set<String> = []
        return schema.entities.map(\.table).filter { seen.insert($0).inserted && has($0, "Z_PK", "Z_ENT", "Z_OPT") }
    }

    /// The entity name and key of an object, such as `Book/p7`, with `?` for an unknown entity; nil without a key.
    func address(_ entity: Int64?, _ key: Int64?) -> String? {
        guard let key else { return nil }
        return "\(name(entity) ?? "?")/p\(key)"
    }

    func name(_ entity: Int64?) -> String? {
        entity.flatMap { Int(exactly: $0) }.flatMap { schema.entity(number: $0)?.name }
    }
}

extension CheckedStore {
    /// An SQL condition: the row `t` is of one of these entities; `1` (always true) if the table has no other concrete
    /// ones.
    func isOne(of numbers: [Int], in table: String) -> String {
        let all = Set(entities(in: table).filter { !$0.isAbstract }.map(\.number))
        guard !all.isSubset(of: numbers) else { return "1" }
        return "t.Z_ENT IN (\(Self.list(numbers)))"
    }

    static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
