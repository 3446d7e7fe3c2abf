import CoreData
import Testing

/// A folder with models of a test.
struct ModelFolder {
    let url: URL

    init() throws { url = try Scratch.folder() }

    func remove() { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes versions of a source; the first is the current one. Gives the path of the package.
    @discardableResult
    func package(_ name: String, _ versions: (name: String, body: String)...) throws -> String {
        let package = url.appendingPathComponent(name)
        for (version, body) in versions {
            let folder = package.appendingPathComponent(version + ".xcdatamodel")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(Self.source(body).utf8).write(to: folder.appendingPathComponent("contents"))
        }
        let current = versions[0].name.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
        let pointer = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string></dict></plist>
            """
        try Data(pointer.utf8).write(to: package.appendingPathComponent(".xccurrentversion"))
        return package.path
    }

    static func source(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
        \(body)
        </model>
        """
    }

    /// The names in the folder, hidden ones too, in order.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

    /// All files in a folder with their bytes.
    func files(_ name: String) throws -> [String: Data] {
        let folder = url.appendingPathComponent(name)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }
}
