import CoreDataSourceScanning
import TestBasics
import Testing

/// Which sources are parsed: a source that matters is found though it does not name managed objects.
@Suite struct SourceSelectionTests {
    @Test("what a managed class needs is found in sources that do not name managed objects (TOOL-02)")
    func whatManagedClassNeedsIsFoundInSourcesThatDoNotNameManaged()
        throws
    {
        let folder = try TemporaryFolder()
        let sources = [
            "Base.swift": "import CoreData\n@objcMembers class Base: NSManagedObject {}",
            "Sub.swift": "class Sub\n  : Base { var sub: Int { 1 } }",
            "Deep.swift": "class Deep: Sub { struct Other {} ; var deep: Int { 1 } }",
            "More.swift": "extension Outer.Inner { var more: Int { 1 } }",
            "Inner.swift": "enum Outer { class Inner: Base {} }",
            "Far.swift": "import Others\nclass Far: Foreign { var far: Int { 1 } }",
            "Marked.swift": "class Marked: Plain { @objc var marked: Int { 1 } ; var unmarked: Int { 1 } }",
            "Plain.swift": "import CoreData\nclass Plain: NSManagedObject {}",
            "Noise.swift": "// class Base\nextension String { var noise: Int { 1 } }\nstruct Noise: Hashable {}",
            "Broken.swift": "class extension : import . typealias",
        ]
        var list = ""
        for (name, text) in sources.sorted(by: { $0.key < $1.key }) {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
            list += "source\t\(folder.url.appendingPathComponent(name).path)\n"
        }
        let other = folder.url.appendingPathComponent("Foreign.swift")
        try Data("import CoreData\n@objcMembers open class Foreign: NSManagedObject {}".utf8).write(to: other)
        list += "other\tOthers\t\(other.path)\n"
        let words = ["list", "out", "work"].map { folder.url.appendingPathComponent($0).path }
        try Data(list.utf8).write(to: URL(fileURLWithPath: words[0]))
        var lines: [String] = []
        let code = BuildCommand.run([
            "module", "--sources", words[1], "--name", "App", "--list", words[0], "--compiler", "/nowhere", "--work",
            words[2],
        ]) { lines.append($0) }
        #expect(code == 0, "\(lines)")
        let table = try String(contentsOfFile: words[1] + "/CoreDataGeneratedClasses.swift", encoding: .utf8)
        for key in ["sub", "deep", "more", "far", "marked"] {
            #expect(table.contains(".computed(\"\(key)\","), "\(key)")
        }
        #expect(table.contains("import Others") && !table.contains("noise") && !table.contains("unmarked"))
    }
}
