import CoreDataSQL
import Foundation
import SQLiteKit
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct ModelSweepTests {
    private func sources() -> [URL] {
        let files = FileManager.default.enumerator(at: Fixtures.folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.lastPathComponent == "contents" && $0.path.contains(".xcdatamodel/") }
            .sorted { $0.path < $1.path }
    }

    @Test("every model at hand becomes a database that resolves to its own schema")
    func everyModelBecomesADatabase() throws {
        var (made, entities) = (0, 0)
        for source in sources() {
            guard let model = try? NSManagedObjectModel(source: try Data(contentsOf: source)) else { continue }
            let schema = StoreSchema(model: model)
            let connection = try Connection.made(of: schema)
            let numbers = Dictionary(
                schema.entities.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
            let resolution = schema.resolved(against: try connection.catalog().asDatabaseCatalog(numbers: numbers))
            #expect(resolution.differences == [], "\(source.path)")
            #expect(resolution.schema == schema, "\(source.path)")
            for entity in schema.entities { checkMappings(of: entity, in: schema, source) }
            made += 1
            entities += schema.entities.count
        }
        #expect(made > 150)
        #expect(entities > 600)
    }

    /// Every column that a mapping names is one of its table, and no two mappings share one.
    private func checkMappings(of entity: EntityMapping, in schema: StoreSchema, _ source: URL) {
        let columns = Set(schema.tables.first { $0.name == entity.table }?.columns.map(\.name) ?? [])
        var named = entity.attributes.map(\.column)
        named += entity.toOnes.flatMap { [$0.column, $0.entityColumn, $0.orderColumn] }.compactMap { $0 }
        named += entity.foreignKeys.flatMap { [$0.column, $0.orderColumn] }.compactMap { $0 }
        #expect(columns.isSuperset(of: named), "\(entity.name) in \(source.path)")
        #expect(Set(named).count == named.count, "\(entity.name) in \(source.path)")
        for toMany in entity.toManys {
            let (table, own): (String, [String?]) =
                switch toMany.storage {
                case .foreignKey(let key): (key.table, [key.column, key.entityColumn, key.orderColumn])
                case .join(let join):
                    (join.table, [join.ownColumn, join.otherColumn, join.orderColumn, join.inverseOrderColumn])
                }
            let columns = Set(schema.tables.first { $0.name == table }?.columns.map(\.name) ?? [])
            #expect(columns.isSuperset(of: own.compactMap { $0 }), "\(entity.name).\(toMany.name) in \(source.path)")
            let isPlaced =
                switch toMany.storage {
                case .foreignKey(let key): key.orderColumn != nil
                case .join(let join): join.orderColumn != nil
                }
            #expect(isPlaced == toMany.isOrdered, "\(entity.name).\(toMany.name) in \(source.path)")
        }
    }
}
