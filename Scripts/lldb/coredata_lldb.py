"""What LLDB shows of Core Data: a summary of managed objects that fires no fault, and commands that stop at errors.

In LLDB, or in ~/.lldbinit:

  command script import OPENCOREDATA/Scripts/lldb/coredata_lldb.py

  frame variable hero        (Hero) hero = Hero/p2, changed
  coredata-errors            stops where the library makes an error, and names the program's line
  coredata-misuse            stops where the library stops the program: an unknown key, a wrong entity
  coredata-log FUNCTION NAME prints a variable at each call of a function, with the count, and goes on

The summary reads the fields of the object and runs no code of the program. 'po object' prints the attributes, and fires no
fault either. Needs the LLDB of a Swift toolchain and a program with debug information.
"""
import lldb

# ObjectFlags of CoreDataGraph.
FAULT, INSERTED, UPDATED, DELETED, TEMPORARY, INACCESSIBLE, LEFT, INVALIDATED = 1, 2, 4, 8, 32, 256, 4096, 8192
BASE = "CoreDataGraph.NSManagedObject"
# The most superclasses that are looked at.
DEEPEST = 64


def _is_managed(kind):
    for _ in range(DEEPEST):
        if not kind or not kind.IsValid():
            return False
        if kind.GetName() == BASE:
            return True
        if kind.GetNumberOfDirectBaseClasses() == 0:
            return False
        kind = kind.GetDirectBaseClassAtIndex(0).GetType()
    return False


def recognize(kind, _dictionary=None):
    """Whether a type is NSManagedObject or one of its subclasses, also as an optional."""
    return _is_managed(kind)


def _base(value):
    """The part of an object that NSManagedObject declares."""
    for _ in range(DEEPEST):
        if not value.IsValid() or value.GetType().GetUnqualifiedType().GetName() == BASE:
            return value
        value = value.GetChildAtIndex(0)
    return value


def _child(value, *names):
    for name in names:
        value.SetPreferSyntheticValue(True)
        child = value.GetChildMemberWithName(name)
        if not child.IsValid():
            return None
        value = child
    return value


def _number(value):
    # Numbers of Swift are structures of one field.
    for _ in range(4):
        if value is None or not value.IsValid():
            return None
        if value.GetNumChildren() == 0:
            return value.GetValueAsSigned() if value.GetValue() is not None else None
        value = value.GetChildAtIndex(0)
    return None


def _entity(base):
    entity = _child(base, "scope", "entity")
    if entity is None:
        return None
    name = _child(entity, "name")
    if name is None:
        return None
    text = name.GetSummary()
    return text.strip('"') if text else None


def _state(flags):
    words = []
    if flags & INVALIDATED:
        words.append("context was reset")
    if flags & LEFT:
        words.append("left its context")
    if flags & INACCESSIBLE:
        words.append("record is gone")
    for bit, word in ((INSERTED, "inserted"), (UPDATED, "changed"), (DELETED, "deleted")):
        if flags & bit:
            words.append(word)
    if flags & FAULT:
        words.append("fault")
    return ", ".join(words) or "unchanged"


def summary(value, _dictionary=None):
    """One line of an object: entity, primary key, state."""
    # Of optionals only the synthetic value has what they hold.
    value.SetPreferSyntheticValue(True)
    dynamic = value.GetDynamicValue(lldb.eDynamicDontRunTarget)
    base = _base(dynamic if dynamic.IsValid() else value)
    flags, number = _number(_child(base, "flags")), _number(_child(base, "key"))
    if flags is None or number is None:
        return None
    name = _entity(base) or value.GetType().GetName().split(".")[-1]
    return f"{name}/{'t' if flags & TEMPORARY else 'p'}{abs(number)}, {_state(flags)}"


def _own_frame(frame):
    """The first frame above that is not of the library."""
    thread = frame.GetThread()
    for index in range(frame.GetFrameID(), thread.GetNumFrames()):
        name = thread.GetFrameAtIndex(index).GetFunctionName() or ""
        entry = thread.GetFrameAtIndex(index).GetLineEntry()
        path = entry.GetFileSpec().fullpath or ""
        if entry.IsValid() and "/Sources/" not in path.replace("/Sources/Terminal/", "/") and "CoreData" not in name:
            return thread.GetFrameAtIndex(index)
    return None


def stopped(frame, _location, _dictionary):
    """Prints the line of the program that the stop is of, and how its frame is selected."""
    own = _own_frame(frame)
    if own is not None:
        entry = own.GetLineEntry()
        print(f"Core Data: raised by {entry.GetFileSpec().GetFilename()}:{entry.GetLine()} in {own.GetDisplayFunctionName()}; "
              f"frame select {own.GetFrameID()}")
    return True


def _stop(debugger, result, pattern, title):
    target = debugger.GetSelectedTarget()
    breakpoint = target.BreakpointCreateByRegex(pattern)
    breakpoint.SetScriptCallbackFunction("coredata_lldb.stopped")
    result.AppendMessage(f"breakpoint {breakpoint.GetID()}: {title}, {breakpoint.GetNumLocations()} places")


def errors(debugger, _command, result, _dictionary):
    """Stops where the library makes an error."""
    _stop(debugger, result, r"^(static )?CoreDataStore\.CoreDataError\.make\(", "errors of Core Data")


def misuse(debugger, _command, result, _dictionary):
    """Stops where the library stops the program."""
    _stop(debugger, result, r"^CoreDataFoundation\.stop\(", "misuse that ends the program")


def log(debugger, command, result, _dictionary):
    """Prints a variable at each call of a function, with the number of the call, and goes on."""
    words = command.split()
    if len(words) != 2:
        result.SetError("usage: coredata-log FUNCTION VARIABLE")
        return
    breakpoint = debugger.GetSelectedTarget().BreakpointCreateByName(words[0])
    breakpoint.SetAutoContinue(True)
    breakpoint.SetScriptCallbackBody(
        f"value = frame.FindVariable({words[1]!r})\n"
        f"text = value.GetSummary() or value.GetValue() or str(value)\n"
        f"print({words[0]!r}, bp_loc.GetBreakpoint().GetHitCount(), {words[1]!r}, '=', text)\n"
        "return False")
    result.AppendMessage(f"breakpoint {breakpoint.GetID()}: logs {words[1]} of {words[0]}")


def __lldb_init_module(debugger, _dictionary):
    for command in (
        "type summary add --category CoreData --python-function coredata_lldb.summary "
        "--recognizer-function coredata_lldb.recognize",
        "type category enable CoreData",
        "command script add --overwrite --function coredata_lldb.errors coredata-errors",
        "command script add --overwrite --function coredata_lldb.misuse coredata-misuse",
        "command script add --overwrite --function coredata_lldb.log coredata-log",
    ):
        debugger.HandleCommand(command)
