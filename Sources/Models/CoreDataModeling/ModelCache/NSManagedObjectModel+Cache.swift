import CoreDataFoundation

extension NSManagedObjectModel {
    /// Reads the model in a store (`Z_MODELCACHE.Z_CONTENT`): a raw DEFLATE stream of a keyed archive.
    ///
    /// - Throws: `ModelingError`; `.limitExceeded` if the stream expands beyond 64 MB or out of proportion.
    package convenience init(cachedModel data: Data) throws {
        self.init()
        adopt(try CompiledModelReader.read(Inflate.expand(data, limit: BoundedFile.greatestModelSize)))
    }

    /// The model in the form for a store (`Z_MODELCACHE.Z_CONTENT`); equal models give equal bytes.
    ///
    /// - Throws: `ModelingError` if the model contains what cannot be archived, or is too large to be read again.
    package func cachedModel() throws -> Data {
        let archive = try CompiledModelWriter.write(self, as: .store)
        guard archive.count <= BoundedFile.greatestModelSize else {
            throw ModelingError(.limitExceeded, "the model takes more than \(BoundedFile.greatestModelSize) bytes")
        }
        return try Deflate.compress(archive)
    }
}
