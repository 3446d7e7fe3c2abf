import CoreData

/// What a large model costs: reading its source, computing its version hashes, comparing it with another.
///
/// The model is written here, so that the figures need no file from elsewhere: as many entities as large applications have.
enum ModelReading {
    static let all = [
        Benchmark("R", size: 1) { _, session in
            let url = try source(session.workbench, entities: 150)
            let (model, other) = try (NSManagedObjectModel(reading: url), NSManagedObjectModel(reading: url))
            let properties = model.entities.reduce(0) { $0 + $1.properties.count }
            let subject = "R  model of \(model.entities.count) entities, \(properties) properties"
            return [
                try row("\(subject): read source", session) { _ = try NSManagedObjectModel(reading: url) },
                try row("\(subject): check", session) { _ = ModelCheck.findings(at: url) },
                try row("\(subject): version hashes", session) { _ = model.entityVersionHashesByName },
                try row("\(subject): copy", session) { _ = model.copy() },
                try row("\(subject): compare", session) { _ = model == other },
            ] + (try fixtureRows(session))
        }
    ]

    /// The source of a model of so many entities, with ten properties each.
    static func source(_ bench: Workbench, entities: Int) throws -> URL {
        let package = bench.place("Large").deletingPathExtension().appendingPathExtension("xcdatamodel")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try Data(text(entities).utf8).write(to: package.appendingPathComponent("contents"))
        return package
    }

    /// The same of the largest model beside the project; empty where the folder of fixtures is absent.
    private static func fixtureRows(_ session: Session) throws -> [Row] {
        guard let contents = largestFixture else { return [] }
        let url = contents.deletingLastPathComponent()
        let subject = "R  largest fixture model (\(url.deletingPathExtension().lastPathComponent))"
        return [
            try row("\(subject): read source", session) { _ = try NSManagedObjectModel(reading: url) },
            try row("\(subject): check", session) { _ = ModelCheck.findings(at: url) },
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

    private static func row(_ name: String, _ session: Session, _ work: () throws -> Void) throws -> Row {
        let clock = ContinuousClock()
        try work()
        let times = try (0..<session.runs).map { _ in try clock.measure(work) / .milliseconds(1) }
        return Row(name: name + ", ms", value: Measurement.median(of: times))
    }

    private static func text(_ entityCount: Int) -> String {
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
