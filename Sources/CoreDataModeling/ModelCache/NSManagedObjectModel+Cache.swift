import CoreDataFoundation

extension NSManagedObjectModel {
    /// Reads the model that a store keeps (`Z_MODELCACHE.Z_CONTENT`): a raw DEFLATE stream of a keyed archive.
    ///
    /// - Throws: `ModelingError`; `.limitExceeded` if the stream expands beyond 64 MB or out of proportion.
    package convenience init(cachedModel data: Data) throws {
        self.init()
        adopt(try CompiledModelReader.read(Inflate.expand(data, limit: ModelReading.greatestSize)))
    }
}
