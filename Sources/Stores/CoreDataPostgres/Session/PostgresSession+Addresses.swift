import CoreDataSQL
import PostgresKit

extension PostgresSession {
    /// Returns the addresses of a result's rows, from key and entity number in its first two columns; rows of entities
    /// outside the family are skipped.
    func addresses(of result: PostgresResult, from first: Int = 0, within mapping: EntityMapping) -> AddressList {
        var addresses = AddressList()
        // Rows of one entity are mostly consecutive.
        var last: (entity: Int64, number: Int?)?
        for row in min(first, result.rowCount)..<result.rowCount {
            guard let key = result.int64(row, 0) else { continue }
            let entity = result.int64(row, 1) ?? 0
            if last?.entity != entity {
                last = (entity, binding(entity, within: mapping).map { addresses.number(of: $0) })
            }
            if let number = last?.number { addresses.append(key, numbered: number) }
        }
        return addresses
    }

    /// Returns the entity with a row's number; nil for a number outside the family, and for an abstract entity.
    private func binding(_ number: Int64, within mapping: EntityMapping) -> EntityBinding? {
        let known = Int(exactly: number).map { mapping.familyNumbers.contains($0) } ?? false
        let table = shape.table(number: known ? number : mapping.isAloneInTable ? Int64(mapping.number) : -1)
        return table.flatMap { $0.mapping.isAbstract ? nil : $0.binding }
    }
}
