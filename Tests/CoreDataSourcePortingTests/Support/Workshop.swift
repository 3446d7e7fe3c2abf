import CoreDataSourcePorting
import Foundation

/// A folder of sources that a test may rewrite.
struct Workshop {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("porting-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A copy of a sample, whose sources are kept under names that no tool formats.
    init(sample: String) throws {
        try self.init()
        for (name, text) in try Self.kept(sample) { try add("\(sample)/\(name)", text) }
    }

    /// The sources of a sample or of what it becomes, by their paths in it.
    static func kept(_ sample: String) throws -> [String: String] {
        let folder = samples.appendingPathComponent(sample)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift.sample") }
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                return (String(name.dropLast(".sample".count)), text)
            })
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Samples")

    @discardableResult
    func add(_ name: String, _ text: String) throws -> URL { try add(name, Data(text.utf8)) }

    @discardableResult
    func add(_ name: String, _ data: Data) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        return url
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    /// What porting the folder changes and leaves.
    func port() throws -> SourcePort { try SourcePort(of: [folder.path]) }

    /// All sources of the folder by their paths in it.
    func sources() throws -> [String: String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try text($0)) })
    }
}

/// One source rewritten: its text and what is left to do.
func ported(_ source: String) throws -> (text: String, findings: [PortFinding]) {
    let workshop = try Workshop()
    defer { workshop.remove() }
    try workshop.add("Source.swift", source)
    let port = try workshop.port()
    let file = port.files.first { $0.path.hasSuffix("/Source.swift") }
    return (file.map { String(decoding: $0.after, as: UTF8.self) } ?? source, port.findings)
}
