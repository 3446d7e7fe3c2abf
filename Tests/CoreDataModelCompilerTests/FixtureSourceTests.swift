import CoreDataModelCompiler
import CoreDataModeling
import TestBasics
import Testing

@Suite struct FixtureSourceTests {
    /// Every model of the fixtures that can be read, by its path.
    private static let models: [(path: String, model: NSManagedObjectModel)] = {
        let root = Fixtures.folder.resolvingSymlinksInPath()
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".xcdatamodeld") }.sorted().compactMap { path in
            (try? NSManagedObjectModel(reading: root.appendingPathComponent(path))).map { (path, $0) }
        }
    }()

    @Test(
        "the sources of every model of the fixtures parse, those of the build and of a repository (TOOL-10)",
        .enabled(if: Fixtures.areAvailable), .timeLimit(.minutes(20)))
    func sourcesParse() throws {
        #expect(Self.models.count >= 100)
        let folder = try TemporaryFolder()
        var paths: [String] = []
        for (number, (path, model)) in Self.models.enumerated() {
            // One of the models asks for a class that no source can have; it is refused, and the others are not.
            guard let classes = try? ModelClasses(of: model, options: ClassOptions(ownsEveryClass: true)) else {
                Issue.record("\(path) is refused")
                continue
            }
            let own = folder.url.appendingPathComponent("\(number)")
            for (kind, files) in [
                ("Build", Self.buildFiles(classes)),
                (
                    "Repository",
                    classes.classes.flatMap { [ManagedSource($0).classFile, ManagedSource($0).propertiesFile] }
                ),
            ] {
                let target = own.appendingPathComponent(kind)
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                for file in files {
                    let url = target.appendingPathComponent(file.name)
                    try Data(file.text.utf8).write(to: url)
                    paths.append(url.path)
                }
            }
        }
        #expect(paths.count > 500)
        for start in stride(from: 0, to: paths.count, by: 500) {
            let batch = paths[start..<min(start + 500, paths.count)]
            let (code, output) = try Toolchain.run("swiftc", ["-frontend", "-parse"] + batch)
            #expect(code == 0, "\(output.prefix(2000))")
        }
    }

    @Test(
        "the sources of twenty models of the fixtures compile against the library (TOOL-10)",
        .enabled(if: Fixtures.areAvailable && Toolchain.modules != nil), .timeLimit(.minutes(20)))
    func sourcesCompile() throws {
        let modules = try #require(Toolchain.modules)
        var count = 0
        for (path, model) in Self.models where count < 20 {
            let classes = try ModelClasses(of: model, options: ClassOptions(ownsEveryClass: true))
            guard classes.classes.count > 1, !Self.namesOtherClasses(classes) else { continue }
            count += 1
            let folder = try TemporaryFolder()
            let paths = try Self.buildFiles(classes).map { file in
                let url = folder.url.appendingPathComponent(file.name)
                try Data(file.text.utf8).write(to: url)
                return url.path
            }
            let (code, output) = try Toolchain.run(
                "swiftc",
                ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Sources"]
                    + Toolchain.flags(modules: modules) + paths)
            #expect(code == 0, "\(path): \(output.prefix(2000))")
        }
        #expect(count == 20)
    }

    /// Whether sources would need classes of the application that the fixtures belong to.
    private static func namesOtherClasses(_ classes: ModelClasses) -> Bool {
        classes.classes.contains { subject in
            subject.name.contains(".")
                || subject.properties.contains { property in
                    if case .object(let type) = property.kind { type != "NSObject" } else { false }
                }
        }
    }

    private static func buildFiles(_ classes: ModelClasses) -> [GeneratedFile] {
        let whole = classes.generating(.definition)
        return whole.classes.flatMap { AccessorSource($0, among: whole).files } + [
            PropertyTableSource(whole.classes).file
        ]
    }
}
