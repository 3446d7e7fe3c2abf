import CoreDataFoundation

extension CompiledModelWriter {
    mutating func predicate(parsing format: String, of owner: String) throws -> PropertyList {
        do {
            return try archive.predicate(NSPredicate(parsing: format))
        } catch {
            throw ModelingError(.invalidModel, "the predicate of \(owner) cannot be written: \(error)")
        }
    }
}
