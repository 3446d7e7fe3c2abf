import CoreData
import CoreDataLocalization
import Synchronization

/// The names that a model's entities and properties have for people, from the string tables beside the model:
/// `de.lproj/HeroesModel.strings` beside `Heroes.momd`, or in it.
package enum ModelTexts {
    private static let wanted = Mutex<[LanguageTag]>([])

    /// The languages that names are wanted in, the most wanted first; none while it is empty, as it is at first.
    package static var languages: [LanguageTag] {
        get { wanted.withLock(\.self) }
        set { wanted.withLock { $0 = newValue } }
    }

    /// Sets the `localizationDictionary` of a model that is not in use yet; returns what prevented it.
    static func apply(to model: NSManagedObjectModel, at file: URL) -> [String] {
        let languages = languages
        guard !languages.isEmpty else { return [] }
        let table = file.deletingPathExtension().lastPathComponent + "Model"
        for folder in [file, file.deletingLastPathComponent()] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            guard names.contains(where: { $0.lowercased().hasSuffix(".lproj") || $0 == table + ".xcstrings" })
            else { continue }
            do {
                let texts = try StringTables(folder: folder).modelTexts(table: table, languages: languages)
                guard !texts.isEmpty else { continue }
                model.localizationDictionary = (model.localizationDictionary ?? [:]).merging(texts) { $1 }
                return []
            } catch {
                return ["the names of the model cannot be read: \(error)"]
            }
        }
        return []
    }
}
