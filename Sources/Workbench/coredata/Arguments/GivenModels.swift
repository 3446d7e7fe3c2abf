import Foundation

/// The models that `--model` options give: one for all stores, or one for each store that is named as `STORE=PATH`.
struct GivenModels {
    private var common: URL?
    private var own: [Int: URL] = [:]

    /// - Throws: `UsageError` for two models of one store.
    init(_ arguments: Arguments) throws {
        for text in arguments.all("model") {
            if let (stores, path) = Self.named(text, among: arguments.operands) {
                for store in stores {
                    guard own.updateValue(URL(fileURLWithPath: path), forKey: store) == nil else {
                        throw arguments.error("--model gives two models for \(arguments.operands[store])")
                    }
                }
            } else {
                guard common == nil else {
                    throw arguments.error("--model gives two models for all stores; name the store: --model STORE=PATH")
                }
                common = URL(fileURLWithPath: text)
            }
        }
    }

    /// The model for the store at an index; nil for the model that the store contains.
    func model(of store: Int) -> URL? { own[store] ?? common }

    /// The stores that a text names before an equals sign, and the path after it; nil if it names none.
    private static func named(_ text: String, among stores: [String]) -> (stores: [Int], path: String)? {
        for sign in text.indices where text[sign] == "=" {
            let (name, path) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
            let exact = stores.indices.filter { stores[$0] == name }
            let named = stores.indices.filter { URL(fileURLWithPath: stores[$0]).lastPathComponent == name }
            if !path.isEmpty, let found = [exact, named].first(where: { !$0.isEmpty }) { return (found, path) }
        }
        return nil
    }
}
