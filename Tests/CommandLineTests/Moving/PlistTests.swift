import CoreData
import TestBasics
import Testing

@Suite struct PlistTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url
    }

    private static let source = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>Name</key><string>a &amp; b</string><key>List</key><array><integer>-5</integer>
        <true/><real>0.5</real><data>AQID</data><date>2024-02-29T12:00:00Z</date></array>
        <key>a.b</key><dict><key>x</key><false/></dict></dict></plist>
        """

    /// The same list in binary form.
    private func binary() throws -> URL {
        let list = try PropertyListSerialization.propertyList(from: Data(Self.source.utf8), format: nil)
        let url = folder.url.appendingPathComponent("binary.plist")
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
        return url
    }

    @Test("--check prints the form of a file, and where a malformed list ends (TOOL-24)")
    func checkSaysOfWhichFormFile() throws {
        let urls = [(try file("a.plist", Self.source), "xml"), (try binary(), "binary")]
        for (url, form) in urls {
            let before = try Data(contentsOf: url)
            let outcome = try Tool.run("plist", url.path, "--check")
            #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
            #expect(outcome.output == "\(url.path): a property list in \(form) form\n")
            let json: [String: String] = try Tool.run("plist", url.path, "--check", "--format", "json").json()
            #expect(json == ["path": url.path, "form": form])
            try before.dropLast(20).write(to: url)
            let cut = try Tool.run("plist", url.path, "--check")
            #expect(cut.code == 2 && cut.output == "" && cut.errorLines.count == 1, "\(cut)")
        }
        let missing = try Tool.run("plist", folder.url.appendingPathComponent("none").path, "--check")
        #expect(missing.code == 2)
        let other = try Tool.run("plist", urls[0].0.path, "--check", "--remove", "Name")
        #expect(other.code == 2 && other.errors.contains("--check goes alone"), "\(other)")
    }

    @Test("keys, types and values of both forms are shown (TOOL-24)")
    func listIsShown() throws {
        let urls = [try file("a.plist", Self.source), try binary()]
        for url in urls {
            let outcome = try Tool.run("plist", url.path)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.contains(["Name", "string", "a", "&", "b"]), "\(outcome.output)")
            #expect(rows.contains(["List.0", "integer", "-5"]) && rows.contains(["List.1", "boolean", "YES"]))
            #expect(rows.contains(["List.3", "data", "AQID"]))
            #expect(rows.contains(["a\\.b.x", "boolean", "NO"]), "\(outcome.output)")
            let part = try Tool.run("plist", url.path, "a\\.b", "--format", "json")
            #expect(part.output == "{\n  \"x\": false\n}\n", "\(part.output)")
        }
        expectRefusal(try Tool.run("plist", urls[0].path, "Nam"), containing: "did you mean 'Name'?")
        expectRefusal(try Tool.run("plist", urls[0].path, "List.9"), containing: "not a place in an array of 5")
        expectRefusal(try Tool.run("plist", urls[0].path, "Name.x"), containing: "single value")
    }

    @Test("a change keeps the form of the file and all else in it (TOOL-24)")
    func changeKeepsTheForm() throws {
        for (url, start) in [(try file("a.plist", Self.source), "<?xml"), (try binary(), "bplist")] {
            for words in [
                ["--set", "Name=<new> & \"é\""], ["--set", "List.0=7"], ["--set", "List.5=x"],
                ["--set", "New={\"k\": [1.5]}", "--type", "dictionary"], ["--remove", "a\\.b.x"],
                ["--set", "When=2001-01-01", "--type", "date"],
            ] {
                let outcome = try Tool.run(["plist", url.path] + words)
                #expect(outcome.code == 0 && outcome.output == "", "\(words) \(outcome.errors)")
            }
            let data = try Data(contentsOf: url)
            #expect(data.starts(with: Data(start.utf8)))
            let list = try #require(
                PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
            #expect(list["Name"] as? String == "<new> & \"é\"")
            let elements = try #require(list["List"] as? [Any])
            #expect(elements.count == 6 && elements[0] as? Int == 7 && elements[5] as? String == "x")
            #expect(elements[3] as? Data == Data([1, 2, 3]))
            #expect((list["a.b"] as? [String: Any])?.isEmpty == true)
            #expect((list["New"] as? [String: [Double]])?["k"] == [1.5])
            #expect(list["When"] as? Date == Date(timeIntervalSinceReferenceDate: 0))
            let before = try Data(contentsOf: url)
            expectRefusal(
                try Tool.run("plist", url.path, "--set", "List.0=seven"), containing: "not a value of this type")
            expectRefusal(try Tool.run("plist", url.path, "--set", "No.where=1"), containing: "no key 'No'")
            #expect(try Data(contentsOf: url) == before)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == ["a.plist", "binary.plist"])
    }

    @Test(
        "a malformed property list is refused (TOOL-24)",
        arguments: [
            "", "bplist00", "<plist><dict><key>a</key></dict></plist>",
            "<plist><string>a</string><string>b</string></plist>",
            "<plist>\(String(repeating: "<array>", count: 5000))", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>",
            "{a = 1;}",
        ])
    func hostileListIsRefused(text: String) throws {
        expectRefusal(try Tool.run("plist", file("bad.plist", text).path), containing: "it is not a property list")
    }
}
