import CoreData

/// What a large model costs: reading its source, computing its version hashes, comparing it with another.
///
/// The model is written here, so that the figures need no file from elsewhere: as many entities as large applications have.
struct ModelReading {
    private static let entityCount = 150
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Models-\(UUID().uuidString)")
        let package = folder.appendingPathComponent("Large.xcdatamodel")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try Data(Self.source.utf8).write(to: package.appendingPathComponent("contents"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A line for each piece of work, with the median of several runs in milliseconds.
    func lines(runs: Int) throws -> [String] {
        let url = folder.appendingPathComponent("Large.xcdatamodel")
        let (model, other) = try (NSManagedObjectModel(reading: url), NSManagedObjectModel(reading: url))
        let properties = model.entities.reduce(0) { $0 + $1.properties.count }
        let subject = "model of \(model.entities.count) entities, \(properties) properties"
        return [
            try Self.line("\(subject): read source", runs) { _ = try NSManagedObjectModel(reading: url) },
            try Self.line("\(subject): check", runs) { _ = ModelCheck.findings(at: url) },
            try Self.line("\(subject): version hashes", runs) { _ = model.entityVersionHashesByName },
            try Self.line("\(subject): copy", runs) { _ = model.copy() },
            try Self.line("\(subject): compare", runs) { _ = model == other },
        ]
    }

    /// The same of the largest model beside the project; empty where the folder of fixtures is absent.
    static func fixtureLines(runs: Int) throws -> [String] {
        guard let contents = largestFixture else { return [] }
        let url = contents.deletingLastPathComponent()
        let subject = url.deletingPathExtension().lastPathComponent
        return [
            try line("largest fixture model (\(subject)): read source", runs) {
                _ = try NSManagedObjectModel(reading: url)
            },
            try line("largest fixture model (\(subject)): check", runs) { _ = ModelCheck.findings(at: url) },
        ]
    }

    private static var largestFixture: URL? {
        let folder = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appendingPathComponent("shared/fixtures")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent == "contents" }
        return sources.max { size($0) < size($1) }
    }

    private static func size(_ url: URL) -> Int {
        (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    }

    private static func line(_ name: String, _ runs: Int, _ work: () throws -> Void) throws -> String {
        let clock = ContinuousClock()
        try work()
        let times = try (0..<runs).map { _ in try clock.measure(work) / .milliseconds(1) }.sorted()
        return String(format: "%@  %.1f ms", name, times[times.count / 2])
    }

    private static var source: String {
        let types = ["String", "Date", "Integer 64", "Boolean", "Double", "Binary", "UUID", "Decimal"]
        let entities = (0..<entityCount).map { number in
            let attributes = types.map { type in
                let name = "a" + type.filter { $0 != " " }
                return "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
            }
            let next = "E\((number + 1) % entityCount)"
            let former = "E\((number + entityCount - 1) % entityCount)"
            return """
                <entity name="E\(number)">\(attributes.joined())
                <relationship name="next" optional="YES" maxCount="1" destinationEntity="\(next)" inverseName="former"/>
                <relationship name="former" optional="YES" toMany="YES" destinationEntity="\(former)" inverseName="next"/>
                </entity>
                """
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\(entities.joined(separator: "\n"))</model>\n"
    }
}
