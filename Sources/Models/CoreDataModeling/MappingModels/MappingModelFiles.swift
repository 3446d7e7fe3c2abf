import CoreDataFoundation

/// The mapping models at some locations, each read once for any number of look-ups.
///
/// Locations are mapping models or folders that contain some; they are read at the first look-up. A file that cannot be
/// read is left out with a warning. Must be used on one thread at a time.
package final class MappingModelFiles {
    private struct Entry {
        let url: URL
        let file: MappingFile
        let mappings: [NSEntityMapping]
    }

    private let folders: [URL]
    private lazy var entries = folders.flatMap(Self.candidates).compactMap(Self.read)

    package init(in folders: [URL]) { self.folders = folders }

    /// The mapping model for two models; nil if none is found.
    ///
    /// If several fit, the choice is that of `NSMappingModel(from:forSourceModel:destinationModel:)`.
    package func mappingModel(from source: NSManagedObjectModel, to destination: NSManagedObjectModel)
        -> NSMappingModel?
    {
        mappings(from: source, to: destination).map { mappings in
            let model = NSMappingModel()
            model.entityMappings = mappings
            return model
        }
    }

    /// The mappings of the mapping model that fits two models best; nil if none fits.
    func mappings(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> [NSEntityMapping]? {
        let agreement = MappingAgreement(source: source, destination: destination)
        var best: [NSEntityMapping]?
        var lagging: [NSEntityMapping]?
        for entry in entries {
            if agreement.differing(entry.mappings).isEmpty {
                if Self.coverage(entry.mappings) > Self.coverage(best ?? []) { best = entry.mappings }
            } else if case .source(let source) = entry.file, agreement.resembles(source, beside: entry.url) {
                let renewed = Self.reporting {
                    try MappingSourceCompilation(
                        source, sourceModel: agreement.source, destinationModel: agreement.destination
                    ).mappings()
                }
                if Self.coverage(renewed ?? []) > Self.coverage(lagging ?? []) { lagging = renewed }
            }
        }
        return best ?? lagging
    }

    private static func read(_ url: URL) -> Entry? {
        reporting {
            let file = try MappingFile(url)
            return Entry(url: url, file: file, mappings: try file.mappings(beside: url))
        }
    }

    private static func reporting<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            CoreDataLogging.report(.warning, "\(error)")
            return nil
        }
    }

    private static func candidates(in folder: URL) -> [URL] {
        if isMapping(folder.lastPathComponent) { return [folder] }
        return BoundedFile.names(in: folder).filter(isMapping).map { folder.appendingPathComponent($0) }
    }

    private static func isMapping(_ name: String) -> Bool {
        name.hasSuffix(".cdm") || name.hasSuffix(".xcmappingmodel")
    }

    /// The number of source and destination entities that the mappings name.
    private static func coverage(_ mappings: [NSEntityMapping]) -> Int {
        Set(mappings.compactMap(\.sourceEntityName)).count + Set(mappings.compactMap(\.destinationEntityName)).count
    }
}
