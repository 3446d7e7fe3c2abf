import CoreData
import CoreDataLocalization

/// `GET /language`: in which language the page shows its texts, and how it writes numbers and dates.
struct LanguagePage: PublicPage {
    let route = Route("GET /language")

    /// `{"language", "direction", "languages": [[TAG, NAME]], "locale", "formats"}`
    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let accepted = call.request.headers["Accept-Language"] ?? ""
        let named = [call.query["language"], call.browser.options.language].compactMap(\.self).first { !$0.isEmpty }
        // A setting of another version of the page is no reason to show none.
        let own = named.flatMap { try? LanguageChoice(page: $0, acceptLanguage: accepted) }
        let choice = try own ?? LanguageChoice(acceptLanguage: accepted)
        let shown = ShownLanguage(choice, among: PageLanguages.all, isNamed: own != nil)
        let asked = call.query["formats"].flatMap { LanguageTag($0) }
        let formats = asked?.locale ?? shown.formats
        var members: [(String, JSONValue)] = [
            ("language", .string(shown.name)), ("direction", .string(shown.isRightToLeft ? "rtl" : "ltr")),
            (
                "languages",
                .array(PageLanguages.all.map { .array([.string($0), .string(PageLanguages.name(of: $0))]) })
            ),
        ]
        if let formats {
            let table = FormatStyleTable(locale: formats)
            let styles = try JSONReader.values(in: Array(table.intlJSON()), of: "the table of styles")[0]
            members += [("locale", .string(table.intl.locale)), ("formats", styles)]
        } else {
            let tag = choice.languages.first { $0.language == "en" && $0.region != nil }
            members += [("locale", .string(tag?.description ?? "en-US")), ("formats", .null)]
        }
        return .json(.object(members))
    }
}
