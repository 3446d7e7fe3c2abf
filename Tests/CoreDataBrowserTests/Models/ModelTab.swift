import CoreData
import CoreDataBrowser
import TestBasics
import Testing

/// A tab of a browser that shows one model, asked without HTTP.
struct ModelTab {
    let browser: Browser
    let folder: TemporaryFolder
    let file: URL

    /// A model package with one version, which files in some of the folders beside it follow.
    init(
        _ source: String = ModelTab.heroes, isWriting: Bool = true, code: [String] = [], lists: [String] = []
    ) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        file = folder.url.appendingPathComponent("Heroes.xcdatamodeld")
        let version = file.appendingPathComponent("Heroes.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: version.appendingPathComponent("contents"))
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        browser = Browser(options: options)
        try browser.openModel(
            file, isWriting: isWriting, classFolder: folder.url.appendingPathComponent("classes"),
            codeFolders: code.map { folder.url.appendingPathComponent($0) },
            listFolders: lists.map { folder.url.appendingPathComponent($0) })
    }

    private init(_ browser: Browser, _ folder: TemporaryFolder, _ file: URL) {
        (self.browser, self.folder, self.file) = (browser, folder, file)
    }

    /// A tab of a program that was started anew on the same model.
    func restarted() throws -> ModelTab {
        let browser = Browser(options: browser.core.options)
        try browser.openModel(file, isWriting: true)
        return ModelTab(browser, folder, file)
    }

    var contents: URL { file.appendingPathComponent("Heroes.xcdatamodel/contents") }
    var text: String { (try? String(contentsOf: contents, encoding: .utf8)) ?? "" }

    /// Asks a page below the model.
    @discardableResult
    func ask(
        _ method: String, _ path: String = "", _ body: String? = nil, status: Int = 200, id: String = "1",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var headers: BrowserHeaders = ["X-Tab": "tab1"]
        if body != nil { headers.set("Content-Type", "application/json") }
        let target = "/models/\(id)" + (path.isEmpty || path.hasPrefix("?") ? path : "/" + path)
        let request = BrowserRequest(
            method: method, target: browser.named(target), headers: headers,
            body: body.map { BrowserBody(Array($0.utf8)) } ?? .empty,
            user: BrowserUser(name: "eva"))
        let response = await browser.respond(to: request)
        let bytes = try await response.body.bytes(limit: 1 << 28)
        #expect(
            response.status == status, "\(method) \(path): \(String(decoding: bytes.prefix(800), as: UTF8.self))",
            sourceLocation: sourceLocation)
        return Answer(try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    /// Applies edits as one step.
    @discardableResult
    func edit(
        _ edits: String..., revision: Int? = nil, status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let lines = String(decoding: try JSONEncoder().encode(edits), as: UTF8.self)
        let since = revision.map { ", \"revision\": \($0)" } ?? ""
        return try await ask(
            "POST", "edits", "{\"edits\": \(lines)\(since)}", status: status, sourceLocation: sourceLocation)
    }

    static let heroes = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Hero" representedClassName="Hero" syncable="YES" codeGenerationType="class">
                <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>
                <attribute name="name" attributeType="String" maxValueString="40"/>
                <relationship name="powers" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Power" inverseName="hero" inverseEntity="Power"/>
            </entity>
            <entity name="Power" representedClassName="Power" syncable="YES" codeGenerationType="class">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hero" inverseName="powers" inverseEntity="Hero"/>
            </entity>
            <fetchRequest name="strong" entity="Hero" predicateString="name == $NAME"/>
            <elements>
                <element name="Hero" positionX="-63" positionY="-18" width="128" height="88"/>
                <element name="Power" positionX="300" positionY="9" width="128" height="73"/>
            </elements>
        </model>

        """
}
