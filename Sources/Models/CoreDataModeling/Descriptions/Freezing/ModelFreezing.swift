import CoreDataFoundation

/// What a mutation of a frozen description answers with.
///
/// Apple's framework raises an exception ("Can't modify an immutable model."); going on would race with the threads that
/// read the model.
func stopModifyingFrozenModel(_ what: String) -> Never {
    stop("Can't modify an immutable model: \(what) was changed after the model had been used. Change a copy.")
}
