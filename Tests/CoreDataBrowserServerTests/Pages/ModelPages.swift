import CoreData
import CoreDataBrowserServer
import TestBasics
import TestBrowsers
import Testing

/// A real web browser that looks at the page of a model, and does what a person does there.
final class ModelPages {
    let browser: Browser
    let server: BrowserServer
    let page: WebPage
    let folder: TemporaryFolder
    let file: URL

    /// Opens a package that is made with one empty version, or with a source.
    ///
    /// - Parameter code: a folder beside the package, in which code follows properties that are renamed.
    init(_ source: String? = nil, width: Int = 1400, height: Int = 900, code: String? = nil) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        file = folder.url.appendingPathComponent("SuperDB.xcdatamodeld")
        let document = try source.map { try ModelDocument(Data($0.utf8)) }
        _ = try SourcePackage.create(
            at: file, version: "SuperDB",
            document: document ?? ModelDocument.describing(NSManagedObjectModel()).document)
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        browser = Browser(options: options)
        let codeFolder = code.map { folder.url.appendingPathComponent($0) }
        try browser.openModel(
            file, isWriting: true, classFolder: codeFolder, codeFolders: codeFolder.map { [$0] } ?? [])
        server = try BrowserServer(browser)
        page = try await WebDriver().open(width: width, height: height)
        try await page.go(to: server.link())
        try await page.wait(until: "document.querySelector('.modelpage')")
    }

    deinit { server.stop() }

    /// The path of the model's page.
    var address: String { browser.named("models/1").replacing("models/", with: "/models/") }

    /// The model as a version has it in its file.
    func model(_ version: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(reading: file.appendingPathComponent(version + ".xcdatamodel"))
    }

    /// How many steps there have been, as the page knows them.
    private func settled(_ work: () async throws -> Void) async throws {
        try await page.evaluate("window.seen = document.querySelector('.modeltools [data-tool=undo]')?.title ?? ''")
        try await work()
        try await page.wait(
            until: """
                !document.querySelector('dialog[open]')
                && (document.querySelector('.modeltools [data-tool=undo]')?.title ?? '') !== window.seen
                """)
    }

    /// Selects an item in the tree.
    func select(_ item: String) async throws {
        try await page.click(".modeltree [data-item='\(item)']")
        try await page.wait(
            until: "document.querySelector('.modeltree [data-item=\"\(item)\"]').ariaCurrent === 'true'")
    }

    /// Opens the dialog that makes an item, fills it in and closes it: texts are typed, choices chosen, boxes checked.
    func add(_ kind: String, _ fields: [(label: String, value: String)]) async throws {
        try await settled {
            if ["entity", "fetch-request", "configuration", "composite"].contains(kind) {
                try await page.click(".modeloutline [data-add=model]")
                let number = ["entity", "fetch-request", "configuration", "composite"].firstIndex(of: kind) ?? 0
                try await page.click(".menu button:nth-child(\(number + 1))")
            } else {
                try await page.click(".modelcenter [data-add='\(kind)']")
            }
            try await page.wait(until: "document.querySelector('dialog[open] .formgrid')")
            for field in fields { try await fill(field.label, field.value) }
            try await page.click("dialog[open] footer .primary")
        }
    }

    /// Fills in the control of a label in the dialog.
    private func fill(_ label: String, _ value: String) async throws {
        let identifier = try #require(
            try await page.evaluate(
                "return [...document.querySelectorAll('dialog[open] label')].find(l => l.textContent === arguments[0])?.htmlFor",
                [.string(label)]
            ).text, "\(label)")
        let kind = try await page.evaluate("return document.getElementById('\(identifier)').type").text ?? ""
        switch kind {
        case "select-one", "select-multiple": try await choose(value, in: "#\(identifier)")
        case "checkbox": try await page.click("#\(identifier)")
        default: try await page.type(value, into: "#\(identifier)")
        }
    }

    /// Chooses words of a list, with commas between them.
    func choose(_ value: String, in selector: String) async throws {
        try await page.wait(until: "document.querySelector(arguments[0])", [.string(selector)])
        try await page.evaluate(
            """
            const list = document.querySelector(arguments[0]);
            const words = list.multiple ? arguments[1].split(',') : [arguments[1]];
            for (const option of list.options) option.selected = words.includes(option.value);
            list.dispatchEvent(new Event('change', { bubbles: true }));
            """, [.string(selector), .string(value)])
    }

    /// Sets an option of the selected items in the inspector.
    func set(_ option: String, _ value: String) async throws {
        let selector = ".modelinspector [data-option='\(option)']"
        try await page.wait(until: "document.querySelector(arguments[0])", [.string(selector)])
        try await settled {
            let kind = try await page.evaluate("return document.querySelector(arguments[0]).type", [.string(selector)])
                .text
            switch kind {
            case "checkbox": try await page.click(selector)
            case "select-one": try await choose(value, in: selector)
            default:
                try await page.wait(until: "(document.querySelector(arguments[0]).select(), true)", [.string(selector)])
                try await page.type((value.isEmpty ? WebKey.delete : value) + WebKey.enter, into: selector)
            }
        }
    }

    /// Selects a row of a table by its mark.
    func selectRow(_ item: String) async throws {
        try await page.click(".modelcenter [data-item='\(item)'] .rowmark")
        try await page.wait(
            until: "document.querySelector('.modelinspector h2')?.textContent.includes(arguments[0])",
            [.string(String(item.split(separator: ".").last ?? ""))])
        try await page.wait(until: "document.querySelector('.modelinspector .formgrid')")
    }

    func save() async throws {
        try await page.click(".modeltools [data-tool=save]")
        try await page.wait(until: "document.querySelector('.modeltools [data-tool=save]').disabled")
    }

    /// Adds a version as a copy of the one that is shown, which is then shown.
    func addVersion(_ name: String) async throws {
        try await page.click(".modeltools [data-tool=versions]")
        try await page.click(".menu button:nth-child(1)")
        try await page.type(name + WebKey.enter, into: "dialog[open] input")
        try await page.wait(
            until: "document.querySelector('[data-tool=version]').value === arguments[0]", [.string(name)])
    }

    func makeCurrent() async throws {
        try await page.click(".modeltools [data-tool=versions]")
        try await page.click(".menu button:nth-child(2)")
        try await page.wait(
            until: "document.querySelector('[data-tool=version]').selectedOptions[0].textContent.includes('✓')")
    }
}
