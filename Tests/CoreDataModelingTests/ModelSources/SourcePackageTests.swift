import CoreDataModeling
import TestBasics
import Testing

@Suite struct SourcePackageTests {
    private let first = SourceText.model(#"<entity name="First"/>"#)
    private let second = SourceText.model(#"<entity name="Second"/>"#)

    private func package(_ versions: [String: Data], pointer: Data? = nil) throws -> SourcePackage {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("M.xcdatamodeld")
        for (version, data) in versions {
            let folder = url.appendingPathComponent(version + ".xcdatamodel")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try data.write(to: folder.appendingPathComponent("contents"))
        }
        if let pointer { try pointer.write(to: url.appendingPathComponent(".xccurrentversion")) }
        return try SourcePackage(at: url)
    }

    /// Every file of a package with its bytes.
    private func files(_ package: SourcePackage) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: package.url.path) {
            files[name] = try? Data(contentsOf: package.url.appendingPathComponent(name))
        }
        return files
    }

    private func refusal(_ body: () throws -> Void) -> ModelingError? {
        do {
            try body()
            return nil
        } catch {
            return error as? ModelingError
        }
    }

    @Test("an added version is a copy, and the current one stays (TOOL-03)")
    func addedVersions() throws {
        let package = try package(["M": first])
        #expect(try package.current() == "M")
        try package.add("M 2", copyOf: "M")
        try package.add("M 10", copyOf: "M 2")
        #expect(package.versions == ["M", "M 2", "M 10"])
        #expect(try package.current() == "M")
        #expect(try package.document(of: "M 10").data == first)
        #expect(try NSManagedObjectModel(reading: package.url).entities.map(\.name) == ["First"])
        let names = try files(package).keys.filter { !$0.contains("/") }.sorted()
        #expect(names == [".xccurrentversion"])
    }

    @Test("the current version is set, also to an older one, and readers follow (TOOL-04)")
    func currentVersions() throws {
        let package = try package(["M": first, "M & <2>": second])
        #expect(throws: Never.self) { try package.setCurrent("M & <2>") }
        #expect(try package.current() == "M & <2>")
        #expect(try NSManagedObjectModel(reading: package.url).entities.map(\.name) == ["Second"])
        try package.setCurrent("M")
        #expect(try NSManagedObjectModel(reading: package.url).entities.map(\.name) == ["First"])
        #expect(refusal { try package.setCurrent("M 3") }?.cause == "there is no version 'M 3'")
        #expect(try package.current() == "M")
    }

    @Test("of the pointer's file only the name changes, and nothing where the name is the same (TOOL-04)")
    func pointersAreKept() throws {
        let text =
            "<!-- mine --><plist><dict><key>_XCCurrentVersionName</key>\r\n <string>M.xcdatamodel</string></dict></plist>"
        let package = try package(["M": first, "N": second], pointer: Data(text.utf8))
        let pointer = package.url.appendingPathComponent(".xccurrentversion")
        try package.setCurrent("M")
        #expect(try Data(contentsOf: pointer) == Data(text.utf8))
        try package.setCurrent("N")
        #expect(
            try Data(contentsOf: pointer) == Data(text.replacingOccurrences(of: "M.xcd", with: "N.xcd").utf8))
    }

    @Test(
        "the name of a pointer is replaced whole, and other keys of its file are kept (TOOL-04)",
        arguments: ["", "N<!-- c -->O"])
    func namesAreReplacedWhole(former: String) throws {
        func text(_ name: String) -> Data {
            Data(
                ("<plist><dict><key>Other</key><string>x</string><key>_XCCurrentVersionName</key><string>"
                    + name + "</string></dict></plist>").utf8)
        }
        let package = try package(["M": first, "N": second], pointer: text(former))
        try package.setCurrent("N")
        #expect(
            try Data(contentsOf: package.url.appendingPathComponent(".xccurrentversion")) == text("N.xcdatamodel"))
    }

    @Test("a pointer is written as Xcode writes it (TOOL-04)", .enabled(if: Fixtures.areAvailable))
    func pointersOfTheFixtures() throws {
        let paths = FixtureSupport.paths(endingIn: "/.xccurrentversion")
        #expect(paths.count > 50)
        for path in paths {
            let url = Fixtures.url(path)
            guard let source = try? SourcePackage(at: url.deletingLastPathComponent()),
                let version = try? source.current()
            else { continue }
            let copy = try package([version: first])
            try copy.setCurrent(version)
            let written = try Data(contentsOf: copy.url.appendingPathComponent(".xccurrentversion"))
            #expect(try Data(contentsOf: url) == written, "\(path)")
        }
    }

    @Test("a version is written; without a change its file is not touched (MOD-03)")
    func documentsAreWritten() throws {
        let package = try package(["M": first])
        let file = package.url.appendingPathComponent("M.xcdatamodel/contents")
        let number = { try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int }
        let before = try number()
        var document = try package.document(of: "M")
        try package.write(document, to: "M")
        #expect(try number() == before)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        try document.renameEntity("First", to: "Third")
        try package.write(document, to: "M")
        #expect(try number() != before)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        #expect(try package.document(of: "M").data == document.data)
        #expect(try files(package).keys.sorted() == ["M.xcdatamodel/contents"])
    }

    @Test("what fails leaves every file as it was (MOD-03)")
    func failuresLeaveNothing() throws {
        let package = try package(["M": first, "N": second], pointer: Data("<plist/>".utf8))
        let before = try files(package)
        for name in ["", ".", "..", "a/b", "M", ".hidden", "x\u{0}", String(repeating: "x", count: 300)] {
            #expect(refusal { try package.add(name, copyOf: "N") } != nil, "\(name)")
        }
        #expect(refusal { try package.add("O", copyOf: "P") } != nil)
        #expect(refusal { try package.add("O", copyOf: "M") }?.cause == ".xccurrentversion names no version")
        #expect(try files(package) == before)
        // A folder in the way of the file.
        let file = package.url.appendingPathComponent("M.xcdatamodel/contents")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file.appendingPathComponent("x"), withIntermediateDirectories: true)
        let error = refusal { try package.write(try ModelDocument(second), to: "M") }
        #expect(error?.code == .unwritable)
        #expect(error?.path?.hasSuffix("M.xcdatamodel/contents") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        #expect(left == ["contents"])
    }

    @Test("a package is made of a model that was built in code (MOD-03)")
    func packagesAreMade() throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("People.xcdatamodeld")
        let model = PeopleModel().model
        let package = try SourcePackage.create(
            at: url, version: "People", document: ModelDocument.describing(model).document)
        #expect(try package.current() == "People")
        #expect(
            try NSManagedObjectModel(reading: url).entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(
            refusal { _ = try SourcePackage.create(at: url, version: "B", document: try ModelDocument(first)) } != nil)
        #expect(package.versions == ["People"])
    }

    @Test("a version is taken away whole, and the current one never (TOOL-05)")
    func versionsAreTakenAway() throws {
        let url = try Fixtures.temporaryFolder().appendingPathComponent("M.xcdatamodeld")
        let package = try SourcePackage.create(at: url, version: "M", document: try ModelDocument(first))
        try package.add("M 2", copyOf: "M")
        #expect(refusal { try package.remove("M") }?.code == .invalidModel)
        #expect(refusal { try package.remove("M 3") }?.code == .invalidModel)
        try package.remove("M 2")
        #expect(package.versions == ["M"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() == [
                ".xccurrentversion", "M.xcdatamodel",
            ])
        #expect(try package.current() == "M")
    }

    @Test func whatIsNoPackageIsRefused() throws {
        let folder = try Fixtures.temporaryFolder()
        #expect(refusal { _ = try SourcePackage(at: folder) }?.code == .unsupportedForm)
        #expect(refusal { _ = try SourcePackage(at: folder.appendingPathComponent("x")) }?.code == .unreadable)
    }
}
