import CoreData
import CoreDataBrowserServer
import TestBrowsers
import Testing

@Suite(
    "The editor of a large model in Chromium", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"))
struct LargeModelEditorTests {
    /// Entities in a row, each with a relationship to the next one.
    private static func source(_ count: Int) -> String {
        let entities = (0..<count).map { number in
            """
                <entity name="E\(number)" representedClassName="E\(number)" syncable="YES">
                    <attribute name="name" optional="YES" attributeType="String"/>
                    <relationship name="next" optional="YES" maxCount="1" destinationEntity="E\((number + 1) % count)"/>
                </entity>
            """
        }
        return "<model>\n\(entities.joined(separator: "\n"))\n</model>\n"
    }

    @Test("lists of many entities are filled when they are focused, and then chosen from (TOOL-06)")
    func listsOfManyEntitiesAreFilledWhenFocused() async throws {
        let pages = try await ModelPages(Self.source(300))
        let page = pages.page
        try await pages.select("E0")
        let list = ".modelcenter [data-item='E0.next'] [data-column=destination]"
        try await page.wait(until: "document.querySelector(arguments[0])?.value === 'E1'", [.string(list)])
        let count = "return document.querySelector(arguments[0]).options.length"
        #expect(try await page.evaluate(count, [.string(list)]).number == 1)
        #expect(try await page.evaluate("return document.querySelectorAll('option').length").number ?? 999 < 100)
        try await page.evaluate("document.querySelector(arguments[0]).focus()", [.string(list)])
        #expect(try await page.evaluate(count, [.string(list)]).number == 300)
        #expect(
            try await page.evaluate("return document.querySelector(arguments[0]).value", [.string(list)]).text == "E1")
        try await pages.choose("E250", in: list)
        try await page.wait(until: "document.querySelector('[data-tool=save]').disabled === false")
        try await pages.save()
        let model = try pages.model("SuperDB")
        let next = model.entitiesByName["E0"]?.relationshipsByName["next"]
        #expect(next?.destinationEntity?.name == "E250")
    }

    @Test("a diagram of more than twenty entities has names that can be read and lie on no other one (TOOL-06)")
    func fittedNames() async throws {
        let leaves = (0..<24).map { number in
            """
                <entity name="MeasurementOfStation\(number)" syncable="YES">
                    <relationship name="station" optional="YES" maxCount="1" destinationEntity="Station"/>
                </entity>
            """
        }
        let station = "<entity name=\"Station\" syncable=\"YES\"/>"
        let source = "<model>\n\(station)\n\(leaves.joined(separator: "\n"))\n</model>\n"
        let pages = try await ModelPages(source)
        let page = pages.page
        try await page.click("[data-tool=view-diagram]")
        try await page.wait(until: "document.querySelectorAll('.diagram.far .name tspan').length >= 25")
        let names = "[...document.querySelectorAll('.diagram .name')].map((name) => name.getBoundingClientRect())"
        let least = try await page.evaluate("return Math.min(...\(names).map((name) => name.height))").number
        #expect(least ?? 0 >= 9)
        let overlaps = try await page.evaluate(
            "const all = \(names); return all.flatMap((a, i) => all.slice(i + 1).filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length"
        )
        #expect(overlaps.number == 0)
    }

    @Test("one row of the tree is the selected one, whatever is drawn again (TOOL-06)")
    func oneRowOfTreeIsSelected() async throws {
        let pages = try await ModelPages(Self.source(300))
        let page = pages.page
        let marked = "[...document.querySelectorAll('.modeltree [aria-current=true]')].map(r => r.dataset.item).join()"
        for (step, entity) in ["E5", "E299", "E17"].enumerated() {
            if step == 1 { try await page.click("[data-tool=view-diagram]") }
            let row = "document.querySelector('.modeltree [data-item=\(entity)]')"
            try await page.evaluate("\(row).focus(); \(row).click()")
            #expect(try await page.evaluate("return \(marked)").text == entity)
            let isSeen =
                "\(row).getBoundingClientRect().top >= document.querySelector('.modeloutline input').getBoundingClientRect().bottom"
            try await page.wait(until: isSeen)
        }
        try await page.wait(
            until:
                "[...document.querySelectorAll('.diagram .selected[data-box]')].map(b => b.dataset.box).join() === 'E17'"
        )
        try await page.click("[data-tool=view-tables]")
        try await page.wait(until: "document.querySelector('.modelinspector h2')?.textContent.includes('E17')")
        try await pages.set("abstract", "YES")
        try await page.wait(until: "document.querySelector('.modelrow.abstract')?.dataset.item === 'E17'")
        #expect(try await page.evaluate("return \(marked)").text == "E17")
    }
}
