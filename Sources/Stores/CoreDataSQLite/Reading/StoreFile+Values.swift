import CoreDataSQL
import SQLiteKit

extension StoreFile {
    package func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        _ = try mapping(of: query.binding.layout)
        let compiled = try compiled { try $0.values(query) }
        try reporting("be read") {
            var reader = SQLiteValueReader(file: self, query: query, shapes: compiled.shapes)
            try reader.read(try prepare(compiled.query), body)
        }
    }
}
