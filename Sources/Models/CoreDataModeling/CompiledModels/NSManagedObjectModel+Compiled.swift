import CoreDataFoundation

extension NSManagedObjectModel {
    /// The model in compiled form, the bytes of a `.mom`; equal models give equal bytes.
    ///
    /// - Throws: `ModelingError` if the model holds what an archive cannot: a predicate in Swift, a value of an unknown class.
    package func compiledData() throws -> Data { try CompiledModelWriter.write(self, as: .file) }
}
