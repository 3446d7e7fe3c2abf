import CoreData
import CoreDataBrowser
import StoreContract

/// The heroes in a store of a program, which stays for as long as this does, and a browser that shows it.
final class HeroScene {
    let stack: Stack
    let browser: Browser
    var answers: BrowserAnswers { BrowserAnswers(browser) }

    init(_ kind: StoreKind = .sqlite, rules: BrowserRules = .everything) throws {
        stack = try Stack(SuperDB.model(), kind: kind)
        SuperDB.fill(stack.context)
        try stack.context.save()
        var options = BrowserOptions()
        options.rules = rules
        browser = Browser(options: options)
        browser.show(stack.coordinator, name: "Test")
    }
}
