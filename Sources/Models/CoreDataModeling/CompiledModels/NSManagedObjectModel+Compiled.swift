import CoreDataFoundation

extension NSManagedObjectModel {
    /// The model in compiled form, the bytes of a `.mom`; equal models give equal bytes.
    ///
    /// - Throws: `ModelingError` if the model contains what cannot be archived: a block predicate, a value of an
    ///   unknown class.
    package func compiledData() throws -> Data { try CompiledModelWriter.write(self, as: .file) }
}
