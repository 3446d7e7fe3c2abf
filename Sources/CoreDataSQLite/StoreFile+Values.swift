import CoreDataSQL
import SQLiteKit

extension StoreFile {
    package func values(_ query: ValueQuery) throws -> ValueTable {
        _ = try mapping(of: query.binding.layout)
        let compiled = try compiled { try $0.values(query) }
        return try reporting("be read") {
            var reader = ValueReader(file: self, query: query, shapes: compiled.shapes)
            return try reader.read(try prepare(compiled.query))
        }
    }
}
