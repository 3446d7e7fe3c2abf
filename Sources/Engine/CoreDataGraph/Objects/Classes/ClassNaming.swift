import CoreDataStore

/// The name of a managed object class as entities give it, such as `App.Hero`.
///
/// Foundation's function of this name stops for nested and private classes. For these the library stores the class with its
/// name, so that a model in code may say `entity.managedObjectClassName = NSStringFromClass(Hero.self)` as on Apple's
/// platforms, where classes of one name in several files have other names.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String {
    let name = GeneratedModule.plainName(of: aClass)
    if _typeByName(name) == nil { ObjectClassResolver.register(aClass, named: name) }
    return name
}
