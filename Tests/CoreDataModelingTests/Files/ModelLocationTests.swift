import CoreDataModeling
import TestBasics
import Testing

@Suite struct ModelLocationTests {
    private func folder(_ name: String, _ files: [String: Data]) throws -> URL {
        let root = try Fixtures.temporaryFolder().appendingPathComponent(name)
        for (path, data) in files {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
        return root
    }

    private func pointer(_ name: String) -> Data {
        Data(
            "<plist version=\"1.0\"><dict>\n<key>_XCCurrentVersionName</key>\n<string>\(name)</string></dict></plist>"
                .utf8)
    }

    private func reason(_ url: URL) -> String? {
        do {
            _ = try NSManagedObjectModel(reading: url)
            return nil
        } catch {
            return (error as NSError).localizedFailureReason
        }
    }

    private let first = SourceText.model(#"<entity name="First"/>"#)
    private let second = SourceText.model(#"<entity name="Second"/>"#)

    @Test("the version that .xccurrentversion names is the current one (MOD-03, MOD-34)")
    func currentVersionIsRead() throws {
        let files = ["M.xcdatamodel/contents": first, "M &amp; 2.xcdatamodel/contents": second]
        let named = files.reduce(into: [String: Data]()) {
            $0[$1.key.replacingOccurrences(of: "&amp;", with: "&")] = $1.value
        }
        let url = try folder(
            "M.xcdatamodeld", named.merging([".xccurrentversion": pointer("M &amp; 2.xcdatamodel")]) { $1 })
        #expect(try NSManagedObjectModel(reading: url).entities.map(\.name) == ["Second"])
        let lone = url.appendingPathComponent("M.xcdatamodel")
        #expect(try NSManagedObjectModel(reading: lone).entities.map(\.name) == ["First"])
        let contents = lone.appendingPathComponent("contents")
        #expect(try NSManagedObjectModel(reading: contents).entities.map(\.name) == ["First"])
    }

    @Test func onlyVersionNeedsNoPointer() throws {
        let url = try folder("M.xcdatamodeld", ["Other.xcdatamodel/contents": first])
        #expect(try NSManagedObjectModel(reading: url).entities.map(\.name) == ["First"])
    }

    @Test func severalVersionsWithoutAPointerAreRefused() throws {
        let url = try folder("M.xcdatamodeld", ["A.xcdatamodel/contents": first, "B.xcdatamodel/contents": second])
        #expect(reason(url)?.contains("no .xccurrentversion") == true)
        #expect(reason(url)?.hasPrefix(url.path) == true)
    }

    @Test("of several versions without a pointer that of the package's name is taken, which is said (MOD-34)")
    func versionOfThePackagesNameIsTakenWithAWarning() throws {
        let url = try folder("M.xcdatamodeld", ["M.xcdatamodel/contents": first, "B.xcdatamodel/contents": second])
        let location = try ModelLocation(url)
        #expect(
            location.warning
                == "there are 2 versions and no .xccurrentversion that names one; 'M.xcdatamodel' is taken for the "
                + "current one, since it has the package's name")
        #expect(try NSManagedObjectModel(reading: url).entities.map(\.name) == ["First"])
        let package = try #require(ModelCheck.packageFinding(at: url))
        #expect(package.finding.rule.identifier == "unnamed-current-version")
        #expect(package.file == location.file)
        #expect(ModelCheck.packageFinding(at: url, options: .init(disabled: ["unnamed-current-version"])) == nil)
        try pointer("B.xcdatamodel").write(to: url.appendingPathComponent(".xccurrentversion"))
        #expect(try ModelLocation(url).warning == nil && ModelCheck.packageFinding(at: url) == nil)
    }

    @Test("a pointer out of the package is refused (HAZ-47)")
    func pointerOutOfThePackageIsRefused() throws {
        let url = try folder(
            "M.xcdatamodeld",
            ["A.xcdatamodel/contents": first, ".xccurrentversion": pointer("../../A.xcdatamodel")])
        #expect(reason(url)?.contains("which is not there") == true)
        let information = try PropertyListSerialization.data(
            fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": "../evil"], format: .binary, options: 0)
        let compiled = try folder("M.momd", ["VersionInfo.plist": information])
        #expect(reason(compiled)?.contains("impossible version '../evil'") == true)
    }

    @Test("a missing or damaged file gives nil from contentsOf and the path from reading (MOD-02)")
    func missingAndDamagedFilesGiveNil() throws {
        let missing = URL(fileURLWithPath: "/nowhere/M.momd")
        #expect(NSManagedObjectModel(contentsOf: missing) == nil)
        #expect(reason(missing) == "/nowhere/M.momd: there is no such file")
        let url = try folder(
            "M", ["M.mom": Data("bplist00 damaged".utf8), "M.omo": Data("momv2$".utf8), "x": Data([1, 2])])
        #expect(NSManagedObjectModel(contentsOf: url.appendingPathComponent("M.mom")) == nil)
        #expect(reason(url.appendingPathComponent("M.omo"))?.contains("optimised model") == true)
        #expect(reason(url.appendingPathComponent("x"))?.contains("neither a compiled model nor") == true)
        #expect(reason(url)?.contains("holds no model") == true)
    }

    @Test("a pipe in place of a model is refused at once (HAZ-47)", .timeLimit(.minutes(20)))
    func pipeIsRefused() throws {
        let pipe = try Fixtures.temporaryFolder().appendingPathComponent("contents")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(reason(pipe)?.contains("not a regular file") == true)
        #expect(reason(pipe.deletingLastPathComponent())?.contains("not a regular file") == true)
    }

    @Test("of the form before Xcode 4 the file `elements` is read")
    func oldFormIsFound() throws {
        let url = try folder("M.xcdatamodel", ["elements": Data("bplist00".utf8), "layout": Data()])
        let location = try ModelLocation(url)
        #expect(location.form == .binarySource)
        #expect(location.file.lastPathComponent == "elements")
        #expect(try ModelLocation(location.file) == location)
        #expect(reason(url)?.contains("elements: the property list is damaged") == true)
    }

    @Test("of a .momd the current version is read (MOD-02, MOD-34)", .enabled(if: Fixtures.areAvailable))
    func currentCompiledVersionIsRead() throws {
        let url = Fixtures.url("stores/coredataplus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd")
        #expect(NSManagedObjectModel(contentsOf: url)?.entities.compactMap(\.name).sorted() == ["User"])
        let other = url.appendingPathComponent("SampleModel3_v2.mom")
        #expect(try NSManagedObjectModel(reading: other).entities.compactMap(\.name).sorted() == ["Pet", "User"])
        let checksums = try NSManagedObjectModel.checksumsForVersionedModel(at: url)
        #expect(checksums["SampleModel3"] == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
        #expect(checksums.count == 3)
    }
}
