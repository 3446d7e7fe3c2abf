import CoreDataModelEditing
import TestBasics
import Testing

@Suite struct ModelSourceFileTests {
    private let folder: TemporaryFolder
    private let package: URL

    init() throws {
        folder = try TemporaryFolder()
        package = folder.url.appendingPathComponent("M.xcdatamodeld")
        let first = try SourcePackage.create(at: package, version: "M", document: EditedSource.document())
        try first.add("M 2", copyOf: "M")
    }

    private func contents(_ version: String) -> URL {
        package.appendingPathComponent("\(version).xcdatamodel/contents")
    }

    private func edited(_ file: ModelSourceFile) throws -> ModelDocument {
        var session = ModelEditSession(try file.document())
        try session.perform([ModelEdit("add entity Lair")])
        return session.document
    }

    @Test("the current version is edited unless another is named, and the others keep every byte (TOOL-06)")
    func currentVersionIsEditedUnlessAnotherIsNamed() throws {
        var file = try ModelSourceFile(at: package)
        #expect(file.version == "M")
        let document = try edited(file)
        let isWritten = try file.write(document)
        #expect(isWritten)
        #expect(try String(contentsOf: contents("M 2"), encoding: .utf8) == EditedSource.text)
        #expect(try String(contentsOf: contents("M"), encoding: .utf8).contains("Lair"))
        #expect(try ModelSourceFile(at: package, version: "M 2").version == "M 2")
        #expect(try ModelSourceFile(at: package.appendingPathComponent("M 2.xcdatamodel")).version == "M 2")
        #expect(try ModelSourceFile(at: contents("M 2")).version == "M 2")
        for name in ["M 3", "../M", "M/../M 2", ""] {
            #expect(throws: (any Error).self, "\(name)") { try ModelSourceFile(at: package, version: name) }
        }
    }

    @Test("a file keeps its mode, and one without a change is not touched (TOOL-06)")
    func fileKeepsItsMode() throws {
        let path = contents("M").path
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let before = try FileManager.default.attributesOfItem(atPath: path)
        var file = try ModelSourceFile(at: package)
        let unchanged = try file.document()
        let isWritten = try file.write(unchanged)
        #expect(!isWritten)
        let same = try FileManager.default.attributesOfItem(atPath: path)
        #expect(before[.systemFileNumber] as? Int == same[.systemFileNumber] as? Int)
        let document = try edited(file)
        try file.write(document)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        // The file can be edited on after it was written.
        var session = ModelEditSession(try file.document())
        try session.perform([ModelEdit("remove Lair")])
        try file.write(session.document)
        #expect(try String(contentsOf: contents("M"), encoding: .utf8) == EditedSource.text)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: contents("M").deletingLastPathComponent().path) == [
                "contents"
            ])
    }

    @Test("what another program has changed, taken away or put there is not overwritten (TOOL-06)")
    func changedMeanwhile() throws {
        var file = try ModelSourceFile(at: package)
        let document = try edited(file)
        let other = EditedSource.text.replacing("color", with: "colour")
        try Data(other.utf8).write(to: contents("M"))
        let error = #expect(throws: ModelEditError.self) { try file.write(document) }
        #expect(error?.code == .changedMeanwhile)
        #expect(try String(contentsOf: contents("M"), encoding: .utf8) == other)
        try FileManager.default.removeItem(at: contents("M"))
        #expect(throws: (any Error).self) { try file.write(document) }
        #expect(!FileManager.default.fileExists(atPath: contents("M").path))
    }

    @Test("a symbolic link inside the package is followed, one that leads out is refused (TOOL-06)")
    func symbolicLinks() throws {
        let real = package.appendingPathComponent("real")
        try FileManager.default.moveItem(at: contents("M"), to: real)
        try FileManager.default.createSymbolicLink(atPath: contents("M").path, withDestinationPath: "../real")
        var file = try ModelSourceFile(at: package)
        let document = try edited(file)
        try file.write(document)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: contents("M").path) == "../real")
        #expect(try String(contentsOf: real, encoding: .utf8).contains("Lair"))

        let outside = folder.url.appendingPathComponent("outside")
        try Data(EditedSource.text.utf8).write(to: outside)
        try FileManager.default.removeItem(at: contents("M"))
        try FileManager.default.createSymbolicLink(atPath: contents("M").path, withDestinationPath: "../../outside")
        let error = #expect(throws: ModelEditError.self) { try ModelSourceFile(at: package) }
        #expect(error?.code == .unsupportedFile)
        #expect(try String(contentsOf: outside, encoding: .utf8) == EditedSource.text)
        // Also one that is put there after reading.
        var later = try ModelSourceFile(at: package, version: "M 2")
        let edited = try edited(later)
        try FileManager.default.removeItem(at: contents("M 2"))
        try FileManager.default.createSymbolicLink(atPath: contents("M 2").path, withDestinationPath: outside.path)
        #expect(throws: ModelEditError.self) { try later.write(edited) }
        #expect(try String(contentsOf: outside, encoding: .utf8) == EditedSource.text)
        // And a version that is a link to a folder elsewhere.
        let elsewhere = folder.url.appendingPathComponent("E.xcdatamodel")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try Data(EditedSource.text.utf8).write(to: elsewhere.appendingPathComponent("contents"))
        try FileManager.default.createSymbolicLink(
            at: package.appendingPathComponent("L.xcdatamodel"), withDestinationURL: elsewhere)
        #expect(throws: ModelEditError.self) { try ModelSourceFile(at: package, version: "L") }
    }

    @Test func otherFormsAreRefused() throws {
        for (name, bytes) in [("M.mom", "bplist00"), ("elements", "bplist00"), ("x", "text"), ("empty", "")] {
            let url = folder.url.appendingPathComponent(name)
            try Data(bytes.utf8).write(to: url)
            #expect(throws: (any Error).self, "\(name)") { try ModelSourceFile(at: url) }
        }
        #expect(throws: (any Error).self) { try ModelSourceFile(at: folder.url.appendingPathComponent("none")) }
    }
}
