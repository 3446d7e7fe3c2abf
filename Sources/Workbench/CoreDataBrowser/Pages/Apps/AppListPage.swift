import CoreData

/// `GET /apps/{app}/lists/{list}`: a window of a list's rows, its sections and what can be added.
struct AppListPage: ViewPage {
    let route = Route("GET /apps/{app}/lists/{list}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let app = try call.app
        let number = call.parameters["list"] ?? ""
        let list = try app.list(number)
        var question = ListAnswer.Question(now: call.browser.options.now(), language: call.language)
        question.tab = try call.number("tab", default: AppTab.selected(list, app), in: 0...ListNode.greatestCount)
        question.scope = try call.number("scope", default: 0, in: 0...ListNode.greatestCount)
        question.offset = try call.number("offset", default: 0, in: 0...Int(Int32.max))
        question.limit = try call.number("limit", default: 100, in: 1...1_000)
        question.search = call.query["search"] ?? ""
        question.parent = call.query["parent"].flatMap { $0.isEmpty ? nil : $0 }
        let requested = question
        return .json(
            try await app.store.read(for: call.access) {
                try ListAnswer(app, number: number, question: requested, reading: $0).json()
            })
    }
}
