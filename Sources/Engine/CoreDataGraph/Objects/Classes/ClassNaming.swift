import CoreDataStore

/// Returns the name of a managed object class in the form that entities use, such as `App.Hero`.
///
/// Foundation's function of this name stops for nested and private classes. This one registers such a class under its
/// name with `ObjectClassResolver`, so that a model in code can set `entity.managedObjectClassName =
/// NSStringFromClass(Hero.self)` as on Apple's platforms. Private classes of the same name in several files share one
/// name here; on Apple's platforms their names differ.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String {
    let name = GeneratedModule.plainName(of: aClass)
    if _typeByName(name) == nil { ObjectClassResolver.register(aClass, named: name) }
    return name
}
