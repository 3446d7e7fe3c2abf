import CoreDataFoundation

/// The contents of the file of a mapping model: a `.cdm`, an `.xcmappingmodel`, or the `xcmapping.xml` in one.
enum MappingFile {
    case compiled([NSEntityMapping])
    case source(MappingSource)

    /// - Throws: `ModelingError` with the path and, for a source, the line.
    init(_ url: URL) throws {
        let file = BoundedFile.isDirectory(url) ? url.appendingPathComponent("xcmapping.xml") : url
        do {
            let data = try BoundedFile.read(file, limit: BoundedFile.greatestModelSize)
            if data.starts(with: Data("bplist".utf8)) {
                self = .compiled(try CompiledMappingReader.read(data))
            } else {
                self = .source(try MappingSourceReader.read(data))
            }
        } catch let error as ModelingError {
            throw error.at(path: file.path)
        }
    }

    /// The mappings; a source is compiled with the models that it contains or names.
    func mappings(beside url: URL) throws -> [NSEntityMapping] {
        switch self {
        case .compiled(let mappings): return mappings
        case .source(let source):
            let models = [source.sourceModel, source.destinationModel].map { $0.read(beside: url) }
            return try MappingSourceCompilation(source, sourceModel: models[0], destinationModel: models[1]).mappings()
        }
    }
}

extension NSMappingModel {
    /// Reads the mapping model at a URL: a `.cdm`, an `.xcmappingmodel`, or the `xcmapping.xml` in one.
    ///
    /// Returns nil if reading fails; ``CoreDataLogging`` reports the reason. Differs from Apple's: sources are read
    /// too.
    public convenience init?(contentsOf url: URL?) {
        guard let url else { return nil }
        do {
            try self.init(reading: url)
        } catch {
            let reason = (error as NSError).localizedFailureReason ?? "\(error)"
            CoreDataLogging.report(
                .error, "cannot read the mapping model \(url.path): \(reason)",
                metadata: [CoreDataLogging.MetadataKey.model: url.path], prefix: "CoreData: ")
            return nil
        }
    }

    /// Reads the mapping model at a URL: a `.cdm`, an `.xcmappingmodel`, or the `xcmapping.xml` in one.
    ///
    /// A source is compiled with its copies of the models, or, without copies, with the models at their paths.
    /// - Throws: an `NSError` of the Cocoa domain whose failure reason names path, line, mapping, property and cause.
    public convenience init(reading url: URL) throws {
        self.init()
        do {
            entityMappings = try MappingFile(url).mappings(beside: url)
        } catch let error as ModelingError {
            throw error.at(path: url.path).asNSError(of: "mapping model")
        }
    }

    /// Reads a compiled mapping model (`.cdm`).
    ///
    /// - Throws: `ModelingError`.
    package convenience init(compiled data: Data) throws {
        self.init()
        entityMappings = try CompiledMappingReader.read(data)
    }

    /// Reads the XML of a mapping model's source, compiled with the given models or with its copies of them.
    ///
    /// - Throws: `ModelingError` with the line.
    package convenience init(
        source data: Data, from sourceModel: NSManagedObjectModel? = nil,
        to destinationModel: NSManagedObjectModel? = nil
    ) throws {
        self.init()
        let source = try MappingSourceReader.read(data)
        let models = [
            sourceModel ?? source.sourceModel.read(beside: nil),
            destinationModel ?? source.destinationModel.read(beside: nil),
        ]
        entityMappings = try MappingSourceCompilation(source, sourceModel: models[0], destinationModel: models[1])
            .mappings()
    }

    /// The mapping model in compiled form, the bytes of a `.cdm`; equal models give equal bytes.
    ///
    /// - Throws: `ModelingError` if an expression is a block or contains a value that cannot be archived.
    package func compiledData() throws -> Data { try CompiledMappingWriter.write(self) }
}
