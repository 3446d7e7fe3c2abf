import CoreDataFoundation

/// Rules about the classes of entities.
enum ClassRules {
    static let unknown = ModelRule(
        "unknown-class", severity: .warning, statement: "An entity names a class that is not among the known ones.",
        remedy: "Write or register the class, or correct its name.")

    static let subject = ModelRuleSubject(
        title: "Classes", rules: [unknown],
        check: { checker in
            guard let known = checker.options.classes else { return }
            for entity in checker.outline.entities {
                let name = entity.description.managedObjectClassName ?? ""
                // `.Hero` stands for the class of the application's own module.
                let plain = name.split(separator: ".").last.map(String.init) ?? ""
                guard !plain.isEmpty, plain != "NSManagedObject", !known.contains(name), !known.contains(plain) else {
                    continue
                }
                let hint = checker.suggestion(for: plain, among: .names(Array(known)))
                checker.report(unknown, entity: entity, message: "names the unknown class '\(name)'", hint: hint)
            }
        })
}
