/// What a mutation of a frozen description answers with.
///
/// Apple's framework raises an exception ("Can't modify an immutable model."); here the process stops with the rule.
package func stopModifyingFrozenModel(_ what: String) -> Never {
    // A programmer's mistake, and Swift has no exceptions: going on would race with the threads that read the model.
    fatalError("Can't modify an immutable model: \(what) was changed after the model had been used. Change a copy.")
}
