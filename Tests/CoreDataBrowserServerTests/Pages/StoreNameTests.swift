import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite("Stores by their names, on the page", .enabled(if: HeroPages.isPossible), .timeLimit(.minutes(3)))
struct StoreNameTests {
    @Test("an address with a place, or with a store that is not open, shows no store and says why (BRW-13)")
    func addressWithPlaceOrWithStoreThatIsNotOpen() async throws {
        let heroes = try await HeroPages()
        for path in ["stores/1/entities/Hero", "models/store-1", "compare?left=1&right=2"] {
            try await heroes.page.go(to: heroes.server.address + path)
            try await heroes.page.wait(
                until: "document.querySelector('.state.failed')?.innerText.includes('a position in the list')")
        }
        try await heroes.page.go(to: heroes.server.address + "stores/Other-x00000000/entities/Hero")
        try await heroes.page.wait(
            until: "document.querySelector('.state.failed')?.innerText.includes('is not open here')")
    }

    @Test("after another file came to the path the page asks what to do with the steps of the former (BRW-20)")
    func afterAnotherFileCameToPathPageAsksWhatToDoWithSteps() async throws {
        let heroes = try await HeroPages()
        let (page, place) = (heroes.page, heroes.store.url)
        let copy = place.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
        try await heroes.go(to: "objects/\(heroes.id("Alpha"))")
        try await heroes.enter("Staged", into: "name")
        try await page.wait(until: "document.querySelector('.editbar .staged')?.innerText.includes('1 object changed')")
        try await heroes.restart {
            try heroes.store.coordinator.remove(heroes.store.store)
            try StoreFiles(url: place).copy(to: copy)
            StoreFiles(url: place).remove()
            try StoreFiles(url: copy).move(to: place)
        }
        try await heroes.goToHeroes()
        try await page.wait(until: "document.querySelector('.editbar .found')?.innerText.includes('1 unsaved change')")
        #expect(try await page.text(of: ".editbar .staged")?.hasPrefix("0") == true)
        #expect(try await page.evaluate("return document.querySelector('.editbar .primary').disabled") == true)
        try await page.click(".editbar .found button")
        try await page.wait(until: "document.querySelector('.editbar .staged')?.innerText.includes('1 object changed')")
        #expect(try await heroes.names().contains("Staged"))
    }
}
