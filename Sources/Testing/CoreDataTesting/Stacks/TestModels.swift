import CoreData
import Synchronization

/// The models that tests have loaded, by their URLs: all stacks of a process share a model, as those of a program do.
enum TestModels {
    private static let loaded = Mutex<[URL: NSManagedObjectModel]>([:])

    /// The model at a URL: a `.momd`, `.mom`, `.omo`, `.xcdatamodeld` or `.xcdatamodel`.
    ///
    /// - Throws: `TestingError` with `noModel`.
    static func model(at url: URL) throws -> NSManagedObjectModel {
        let url = url.standardizedFileURL
        return try loaded.withLock { loaded in
            if let model = loaded[url] { return model }
            do {
                let model = try NSManagedObjectModel(reading: url)
                loaded[url] = model
                return model
            } catch {
                throw TestingError(
                    .noModel, "The model '\(url.path)' cannot be read: \(error.localizedDescription)")
            }
        }
    }

    /// The model of a name in a bundle.
    ///
    /// - Throws: `TestingError` with `noModel`, which names the folder that was searched.
    static func model(named name: String, in bundle: Bundle) throws -> NSManagedObjectModel {
        for form in ["momd", "mom", "omo"] {
            if let url = bundle.url(forResource: name, withExtension: form) { return try model(at: url) }
        }
        // The build leaves these as they are where no plugin compiles them.
        for form in ["xcdatamodeld", "xcdatamodel"] {
            let url = bundle.bundleURL.appendingPathComponent("\(name).\(form)")
            if FileManager.default.fileExists(atPath: url.path) { return try model(at: url) }
        }
        throw TestingError(
            .noModel,
            "There is no model '\(name)' in '\(bundle.bundlePath)': give the bundle of the target that has the model, "
                + "such as Bundle.module, or the URL of the model.")
    }
}
